import numpy as np
import torch

torch.save({"score": np.float64(0.5)}, "metrics.pt")
print(torch.load("metrics.pt", weights_only=True)["score"])
