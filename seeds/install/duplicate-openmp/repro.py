import ctypes
import torch
# needs a second copy of the OpenMP runtime: path of another libiomp5
ctypes.CDLL("/opt/intel/oneapi/compiler/latest/lib/libiomp5.so")
print(torch.ones(4096).sum())
