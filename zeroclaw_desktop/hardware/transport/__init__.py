"""Bytes in and out of a port. The only place that imports pyserial; nothing here knows what bytes mean."""
