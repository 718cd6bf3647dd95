"""Where Qt meets the core: bus events become signals, clicks become coroutines, state becomes plain views.

Widgets see the objects of this room and nothing below it. No decision is taken here and no pin is moved: a
button becomes an ActionPayload that goes to the runtime.
"""
