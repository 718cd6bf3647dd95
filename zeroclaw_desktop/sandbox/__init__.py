"""The only room that starts child processes. What runs inside them is judged elsewhere."""
