"""From a text to ActionPayloads (EX-2): JSON, sentences, YAML lists, and readers of third parties.

A reader only reads: it names commands and values, it checks no permission and reaches no board. What it gives
goes through the same checks as every payload. Start at ``registry.py``.
"""
