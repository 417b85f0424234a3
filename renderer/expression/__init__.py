"""Jinja2 in which a stranger's template can do no harm: in `*.j2` files and in override policies."""
