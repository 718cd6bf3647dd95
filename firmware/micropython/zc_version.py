"""The version of all firmwares; firmware/build.py compares it with firmware/protocol/zc_version.h."""

FIRMWARE = "zeroclaw-micropython"
VERSION = "1.1.0"
PROTOCOL = 1
