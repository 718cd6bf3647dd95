"""The Settings page, made from the configuration schema; no setting is named in here."""

from __future__ import annotations
