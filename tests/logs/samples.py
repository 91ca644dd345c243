"""Texts that the property tests vary, and the shapes of prefixes they put before every line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

DATA = Path(__file__).parent / "data"
#: One per layout is enough for properties; the golden tests read them all.
NAMES = (
    "plain-3.12",
    "cause-3.13",
    "context-3.10",
    "group-3.12",
    "notes-3.12",
    "repeated-3.12",
    "multiline-3.13",
    "logged-3.12",
    "pool-3.12",
    "process-3.10",
    "thread-3.12",
    "fault-3.12",
    "warned-3.12",
    "notebook-3.8",
    "notebook-3.9",
    "notebook-3.13",
    "notebook_module-3.12",
    "loguru_catch-3.12",
    "test_model_long-3.10",
    "test_model_short-3.12",
    "test_model_native-3.12",
    "rich_box-3.12",
    "rich_box_narrow-3.13",
    "rich_box_locals-3.13",
    "loader",
    "spawned",
    "compiled",
    "scripted",
    "anomaly",
)
TEXTS = {name: (DATA / f"{name}.txt").read_text(encoding="utf-8") for name in NAMES}


def always(prefix: str) -> Callable[[int], str]:
    """The same prefix on every line."""
    return lambda _: prefix


PREFIXES: dict[str, Callable[[int], str]] = {
    "[rank3]: ": always("[rank3]: "),
    "[rank0]:": always("[rank0]:"),
    "ISO time": lambda n: f"2025-03-04T05:06:{n % 60:02}.{n * 7919 % 1000000:06}Z ",
    "logging": lambda n: f"2025-03-04 05:06:{n % 60:02},{n % 1000:03} - trainer - ERROR - ",
    "loguru": lambda n: f"2025-03-04 05:06:{n % 60:02} | ERROR    | app.main:run:33 - ",
    "glog": lambda n: f"E0304 05:06:{n % 60:02}.123456 4711 torch/_dynamo/utils.py:10{n % 10}] [0/1] ",
    "vLLM": lambda n: f"(EngineCore_DP0 pid=77) ERROR 03-04 05:06:{n % 60:02} [core.py:866] ",
    "compose": always("web-trainer-1  | "),
    "srun --label": always("12: "),
    "[default5]:": always("[default5]:"),
    "[node01:1]: ": always("[node01:1]: "),
    "mail": always("> "),
    "counter": lambda n: f"[{80000 + n}] ",
    "word": always("SUBPROCESS: "),
    "Ray": always("(WorkerDict pid=1092417) "),
    "syslog": lambda n: f"Mar  4 05:06:{n % 60:02} gpu-box python[1234]: ",
    "pod": lambda n: f"train-worker-0 pytorch {n} ",
    "stacked": lambda n: f"[2025-03-04T05:06:{n % 60:02}Z] [rank1]: ",
    "mpirun": always("[1,2]<stderr>:"),
    "unheard of": lambda n: f"_bk;t=17000{n:08} ",
    "line number": lambda n: f"{n:5}\t",
    "bar": always("│ "),
    "indented": always("        "),
    "host": always("gpu-node-07: "),
}
