"""The signature of the search: it shows any unintended change."""

import sys
from pathlib import Path

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


def test_the_search_looks_at_the_same_positions_as_before() -> None:
    """After an intended change: python benchmarks/search.py sign."""
    sys.path.insert(0, str(BENCHMARKS))
    try:
        import search
    finally:
        sys.path.remove(str(BENCHMARKS))
    assert search.signature() == search.committed_signature()
