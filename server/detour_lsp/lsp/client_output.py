"""Standard output to a client that may leave before it has read everything.

Editors that are closed send `shutdown` and `exit` and go, without waiting for what is still on its way to them.
"""

from __future__ import annotations

import logging
from io import BufferedWriter, FileIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing_extensions import Buffer

_log = logging.getLogger(__name__)


class ClientOutput(BufferedWriter):
    """Writes to a file descriptor; when nobody reads there any more, it says so once and drops the rest."""

    def __init__(self, descriptor: int) -> None:
        super().__init__(FileIO(descriptor, "wb", closefd=False))
        self._gone = False

    def write(self, buffer: Buffer, /) -> int:
        """Write, or drop what has no reader."""
        size = memoryview(buffer).nbytes
        if not self._gone:
            try:
                return super().write(buffer)
            except BrokenPipeError:
                self._leave()
        return size

    def flush(self) -> None:
        """Send what is buffered, or drop it."""
        if not self._gone:
            try:
                super().flush()
            except BrokenPipeError:
                self._leave()

    def _leave(self) -> None:
        self._gone = True
        _log.info("the client has left without reading the last messages")
