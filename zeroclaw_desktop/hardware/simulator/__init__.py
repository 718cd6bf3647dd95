"""Simulated boards. The board runs in a child process (``host.py``), the app sees a port and virtual parts.

``board_process.py`` is the app's side; ``avr_board.py`` runs the real firmware on the AVR core,
``pure_board.py`` speaks the protocol in plain Python where the core cannot run.
"""
