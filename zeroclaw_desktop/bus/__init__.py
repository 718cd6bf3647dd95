"""Typed publish and subscribe between rooms that do not know each other. No topic strings, no logic."""
