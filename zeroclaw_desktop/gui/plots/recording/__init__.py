"""Recording of everything that comes, and its replay, on the plots page."""
