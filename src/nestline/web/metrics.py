"""Metrics for Prometheus: what the server does, and how long it takes.

Where several worker processes serve one address, their metrics are added up through files in the
folder PROMETHEUS_MULTIPROC_DIR, which the command sets.
"""

import os

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
    multiprocess,
)

SHORT = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)


class Metrics:
    """The metrics of one process."""

    def __init__(self) -> None:
        self._registry = registry = CollectorRegistry()
        self.requests = Counter(
            "nestline_requests_total", "HTTP requests", ["method", "status"], registry=registry
        )
        self.request_seconds = Histogram(
            "nestline_request_seconds", "Time to answer an HTTP request", buckets=SHORT,
            registry=registry,
        )  # fmt: skip
        self.messages = Counter(
            "nestline_messages_total", "Messages on WebSockets", registry=registry
        )
        self.connections = Gauge(
            "nestline_connections", "Open WebSockets", registry=registry,
            multiprocess_mode="livesum",
        )  # fmt: skip
        self.games = Counter("nestline_games_total", "Games created", registry=registry)
        self.actions = Counter(
            "nestline_actions_total", "Actions stored", ["action"], registry=registry
        )
        self._counters: dict[str, Counter] = {}
        """One for each kind of action, since finding it by its label takes longer than counting."""
        self.refused = Counter(
            "nestline_refused_total", "Actions refused", ["action"], registry=registry
        )
        self.action_seconds = Histogram(
            "nestline_action_seconds", "Time until an action was stored", buckets=SHORT,
            registry=registry,
        )  # fmt: skip
        self.commit_seconds = Histogram(
            "nestline_commit_seconds", "Time of a transaction", buckets=SHORT, registry=registry
        )
        self.commit_actions = Histogram(
            "nestline_commit_actions", "Pieces of work in a transaction",
            buckets=(1, 2, 5, 10, 20, 50, 100, 200), registry=registry,
        )  # fmt: skip
        self.thought_seconds = Histogram(
            "nestline_thought_seconds", "Time the computer thought over a move", buckets=SHORT,
            registry=registry,
        )  # fmt: skip
        self.waited_seconds = Histogram(
            "nestline_waited_seconds", "Time until the computer began to think", buckets=SHORT,
            registry=registry,
        )  # fmt: skip
        gauges = {
            "games_in_memory": "Games in memory",
            "watchers": "Watched games, once for each who watches",
            "computer_waiting": "Games in which the computer has something to do",
            "analyses_waiting": "Analyses and reviews that wait for a thread",
            "analyses_running": "Analyses and reviews that run",
        }
        self._gauges = {
            name: Gauge(f"nestline_{name}", told, registry=registry, multiprocess_mode="livesum")
            for name, told in gauges.items()
        }

    def observe_commit(self, size: int, seconds: float) -> None:
        self.commit_actions.observe(size)
        self.commit_seconds.observe(seconds)

    def observe_thought(self, waited: float, thought: float) -> None:
        self.waited_seconds.observe(waited)
        self.thought_seconds.observe(thought)

    def observe_action(self, action: str, seconds: float) -> None:
        counter = self._counters.get(action)
        if counter is None:
            counter = self._counters[action] = self.actions.labels(action)
        counter.inc()
        self.action_seconds.observe(seconds)

    def set_gauges(self, **values: int) -> None:
        """Set the gauges to the present state of the services."""
        for name, value in values.items():
            self._gauges[name].set(value)

    def text(self) -> bytes:
        """All metrics in Prometheus's text format."""
        if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
            registry = CollectorRegistry()
            multiprocess.MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
            return generate_latest(registry)
        return generate_latest(self._registry)
