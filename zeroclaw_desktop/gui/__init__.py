"""The window: widgets that show bridge objects and send a person's wishes to them.

Nothing in here talks to boards, models or files of the core; pages do not know each other. Layers from the
bottom: ``theme`` (tokens, icons), ``actions`` (commands that pages share), ``widgets`` (parts), one package
for each page, ``main_window`` (the frame), ``app`` (start).
"""
