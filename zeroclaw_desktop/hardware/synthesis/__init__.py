"""From a wish to firmware: templates, pins and parts, a sketch, its check, the build. Writes to no board."""
