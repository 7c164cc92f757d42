"""What the checks of Swift sources have in common."""

import re


def code(path):
    """The text of a file without its comments and the texts of its literals."""
    text = re.sub(r'"(?:\\.|[^"\\\n])*"', '""', path.read_text(encoding="utf-8"))
    return re.sub(r"//.*", "", text)
