"""Faults of making firmware.

ZeroClawError
└── SynthesisError
    ├── TemplateDataError      a template's file is wrong (``template_data``)
    ├── WishError              the wish cannot be planned (``unknown_template``, ``unknown_dialect`` ...)
    └── BuildError             a tool is missing or did not end in time; its code says which
"""

from __future__ import annotations

from zeroclaw_desktop.foundation.errors import ZeroClawError


class SynthesisError(ZeroClawError):
    """Something about making firmware."""


class TemplateDataError(SynthesisError):
    """A template's file is wrong."""

    default_code = "template_data"


class WishError(SynthesisError):
    """The wish cannot be planned."""

    default_code = "firmware_wish"


class BuildError(SynthesisError):
    """The build could not be carried out; ``code`` is ``compiler_missing``, ``build_timeout`` or the like."""

    default_code = "build_failed"
