"""The sheet that makes firmware: request, parts and pins, sketch, writing, what the board says."""
