"""A report as text: for a terminal, as JSON, as Markdown, as a page."""
