"""NumPy refuses it where the memory belongs to bytes."""

import numpy as np
import torch

array = np.frombuffer(b"12345678", dtype=np.float32)
array.flags.writeable = True
print(torch.from_numpy(array))
