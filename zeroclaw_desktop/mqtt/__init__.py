"""One connection to an MQTT broker, for reports and for boards; the only room that knows the MQTT library.

It knows no topics: what is published and what is listened to is the caller's.
"""
