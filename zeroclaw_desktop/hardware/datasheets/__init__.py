"""Data sheets that the person keeps: Markdown, text and PDF files, searched in passages (HW-11)."""
