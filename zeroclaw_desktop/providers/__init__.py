"""Where answers come from: the offline assistant and language models, behind one shape of stream.

Nothing in here may touch hardware, open a port or decide whether a call is allowed.
"""
