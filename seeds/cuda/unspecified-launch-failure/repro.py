import torch
from torch.utils.cpp_extension import load_inline
# needs a GPU and nvcc: a kernel that traps
src = """__global__ void k() { asm("trap;"); }
void bad() { k<<<1, 1>>>(); }"""
mod = load_inline("trap_kernel", cpp_sources="void bad();", cuda_sources=src, functions=["bad"])
mod.bad()
torch.cuda.synchronize()
