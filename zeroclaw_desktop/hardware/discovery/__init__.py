"""Which boards are at the machine (HW-2): ports that come and go, who is who, what people call them."""
