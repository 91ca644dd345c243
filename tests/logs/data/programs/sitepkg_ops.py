"""Stands for a library: put into a site-packages folder, so that its frames come below the user's."""

OOM = (
    "CUDA out of memory. Tried to allocate 2.50 GiB. GPU 0 has a total capacity of 23.64 GiB of which 1.12 GiB is free. "
    "Including non-PyTorch memory, this process has 22.51 GiB memory in use."
)


class OutOfMemoryError(RuntimeError):
    pass


def allocate(shape):
    raise OutOfMemoryError(OOM)


def call(function, *args):
    return function(*args)
