"""Sources of series that are no board: programs that send over UDP, topics of an MQTT broker.

Their bytes go through the same reader as those of a serial line, so they are plotted, recorded and replayed
like a board.
"""
