import numpy as np
import torch
from torch import nn

model = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1))
features = torch.from_numpy(np.linspace(0, 1, 6).reshape(2, 3))
print(model(features).dtype)
