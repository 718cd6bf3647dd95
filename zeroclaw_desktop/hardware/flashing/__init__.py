"""Writing firmware to boards: images, the tools that write them, and the one flow around them."""
