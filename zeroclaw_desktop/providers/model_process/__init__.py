"""What runs inside the provider process, beside litellm, in an environment of its own.

Only the standard library, ``providers.wire`` and (in one module) litellm may be imported in here: nothing
of the program's own environment is on the path there.
"""
