"""All functions that the page may call."""

from nestline.browser import law_exports as law_exports
from nestline.browser.memory import EXPORTS

__all__ = ["EXPORTS"]
