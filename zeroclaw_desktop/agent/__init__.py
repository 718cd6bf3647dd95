"""The turn: a message goes to a provider, its tool calls go through the tools, the answer comes back.

Knows neither boards nor windows; small enough to be read in one sitting.
"""
