"""Needs a CUDA GPU: tiles of 256 x 256 with 4 stages do not fit into shared memory."""
import torch
import triton
import triton.language as tl


@triton.jit
def multiply(a, b, c, size: tl.constexpr):
    rows = tl.arange(0, size)[:, None] * size + tl.arange(0, size)[None, :]
    total = tl.zeros((size, size), dtype=tl.float32)
    for k in tl.range(0, 4, num_stages=4):
        total += tl.dot(tl.load(a + rows + k), tl.load(b + rows + k))
    tl.store(c + rows, total)


x = torch.ones(512, 512, device="cuda", dtype=torch.float16)
multiply[(1,)](x, x, torch.empty(256, 256, device="cuda"), 256, num_stages=4)
