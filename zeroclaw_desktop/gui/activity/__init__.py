"""The Activity page: what runs, what waits, which outputs are held, what was done and how it went.

It shows views of the execution layer that the bridge hands over. It decides nothing and keeps no task itself.
"""
