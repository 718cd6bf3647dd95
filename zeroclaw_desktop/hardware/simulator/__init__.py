"""The simulated Arduino Uno: machine, virtual parts and the process that runs them."""
