import ops


def build(size):
    """CUDA out of memory. Tried to allocate 1 GiB. GPU 0 has a total capacity of 1 GiB of which 1 GiB is free."""
    return ops.call(ops.allocate, size)  # HERE


def test_small():
    assert 1 + 1 == 2


def test_build():
    size = 12
    model = build(size)
    assert model is None
