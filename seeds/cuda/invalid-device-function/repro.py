import torch
from torch.utils.cpp_extension import load_inline
# needs a GPU and nvcc: code for another architecture only (sm_100 here, pick one that yours is not)
src = """__global__ void k() {}
void f() { k<<<1, 1>>>(); }"""
mod = load_inline("other_arch", cpp_sources="void f();", cuda_sources=src, functions=["f"], extra_cuda_cflags=["-gencode=arch=compute_100a,code=sm_100a"])
mod.f()
torch.cuda.synchronize()
