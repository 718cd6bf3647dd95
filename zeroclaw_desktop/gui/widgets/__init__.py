"""Parts that pages are built of. They know the theme and views, no page and no bridge object."""
