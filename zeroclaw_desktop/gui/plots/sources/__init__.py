"""Where the samples come from: the sheet with every source, its counters and its settings."""
