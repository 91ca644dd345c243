import numpy as np
import torch

raw = np.frombuffer(bytes(8), dtype=np.uint8)
print(torch.from_numpy(raw).shape)
