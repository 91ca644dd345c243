import torch
from torch.utils.cpp_extension import load_inline
# needs a GPU and nvcc: a kernel that writes far outside its tensor
src = """__global__ void k(float* p) { p[1ll << 40] = 1; }
void bad(torch::Tensor t) { k<<<1, 1>>>(t.data_ptr<float>()); }"""
mod = load_inline("bad_kernel", cpp_sources="void bad(torch::Tensor t);", cuda_sources=src, functions=["bad"])
mod.bad(torch.zeros(4, device="cuda"))
torch.cuda.synchronize()
