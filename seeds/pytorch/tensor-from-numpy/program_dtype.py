"""The type of the array itself cannot be read."""

import numpy as np
import torch

torch.tensor(np.array([1, None], dtype=object), dtype=torch.float32)
