import ctypes
import torch

print(torch.__version__)
ctypes.CDLL("libcublas.so.99")
