import numpy as np
import torch


class History:
    def __init__(self):
        self.losses = []

    def log(self, loss):
        self.losses.append(loss)

    def mean(self):
        return np.mean(np.array(self.losses))


history = History()
weight = torch.ones(2, requires_grad=True)
for _ in range(2):
    history.log((weight * 2).sum())
print(history.mean())
