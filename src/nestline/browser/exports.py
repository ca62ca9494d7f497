"""All functions that the page may call."""

from nestline.browser import checksum_exports as checksum_exports
from nestline.browser import law_exports as law_exports
from nestline.browser import search_exports as search_exports
from nestline.browser import table_exports as table_exports
from nestline.browser.memory import EXPORTS

__all__ = ["EXPORTS"]
