import numpy as np
import torch

image = np.arange(12, dtype=np.float32).reshape(3, 4)
print(torch.from_numpy(image[:, ::-1]).shape)
