"""A record in the nested schema that uses every field that Detour reads."""

import copy
from typing import Any

NESTED: dict[str, Any] = {
    "schema_version": "1.0.0",
    "id": "pytorch/flux-overflow/pt2-linux",
    "url": "https://example.org/flux",
    "error": {
        "signature": "Flux capacitor overflow",
        "regex": "flux capacitor overflow.*(\\d+)",
        "domain": "pytorch",
        "category": "runtime_error",
        "first_seen": "2025-01-02",
        "last_confirmed": "2025-02-03",
    },
    "environment": {
        "runtime": {"name": "pytorch", "version_range": ">=2.0,<2.4"},
        "os": "linux",
        "python": ">=3.8",
    },
    "verdict": {
        "resolvable": "partial",
        "fix_success_rate": 0.5,
        "confidence": 0.7,
        "last_updated": "2025-03-04",
        "summary": "Too much flux.",
    },
    "dead_ends": [
        {
            "action": "Restart",
            "why_fails": "It comes back.",
            "fail_rate": 0.9,
            "condition": "always",
            "sources": ["https://example.org/1"],
            "common_misconception": "Flux drains.",
        }
    ],
    "workarounds": [
        {"action": "Drain", "success_rate": 0.8, "how": "open the valve", "tradeoff": "slow", "sources": []},
    ],
    "transition_graph": {
        "leads_to": [{"error_id": "pytorch/other/pt2-linux", "probability": 0.4}],
        "preceded_by": [],
        "frequently_confused_with": [],
    },
    "metadata": {"evidence_count": 3, "page_views": 9},
}


def nested(**changes: Any) -> dict[str, Any]:
    data = copy.deepcopy(NESTED)
    for path, value in changes.items():
        *parents, key = path.split("__")
        place = data
        for parent in parents:
            place = place[parent]
        if value is None:
            del place[key]
        else:
            place[key] = value
    return data
