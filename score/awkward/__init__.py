"""Awkward scenarios: situations in which a tracker easily decides wrongly, generated and judged."""
