import ctypes
# needs a machine without cuDNN in the loader path
ctypes.CDLL("libcudnn.so.9")
