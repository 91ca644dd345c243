"""Writing to a client that may have left."""

from __future__ import annotations

import logging
import os

import pytest

from detour_lsp.lsp.client_output import ClientOutput


def test_a_client_that_has_left_is_no_error(caplog: pytest.LogCaptureFixture) -> None:
    reading, writing = os.pipe()
    output = ClientOutput(writing)
    output.write(b"one")
    output.flush()
    assert os.read(reading, 10) == b"one"
    os.close(reading)
    with caplog.at_level(logging.INFO):
        for _ in range(2):
            assert output.write(b"x" * 100_000) == 100_000
            output.flush()
    assert len(caplog.records) == 1, "said once"
    output.close()
    os.close(writing)
