"""What the program remembers: entries, hybrid search over words and vectors, embeddings, hygiene.

Keeps texts that people, agents and executions want to find again, and finds them by their words (FTS5) and
by similarity (vectors), Chinese as well as English. What must not enter: models and their prompts, knowledge
of boards, SQL connections of its own (all of it runs on the store's thread), and any secret.
"""
