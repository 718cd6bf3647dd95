"""Configuration: what can be set (``schema``), reading it with good errors (``loader``), writing it back."""
