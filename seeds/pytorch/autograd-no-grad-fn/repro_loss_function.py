import torch
from torch import nn


class Distill:
    def __init__(self):
        self.teacher, self.student = nn.Linear(3, 3), nn.Linear(3, 3)

    def loss(self, x):
        with torch.no_grad():
            wanted = self.teacher(x)
            given = self.student(x)
        return (given - wanted).pow(2).mean()

    def fit(self, x):
        self.loss(x).backward()


Distill().fit(torch.randn(2, 3))
