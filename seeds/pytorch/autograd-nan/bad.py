import torch
from torch import autograd

torch.autograd.set_detect_anomaly(True)  # finding: 2


class Trainer:
    def __init__(self):
        autograd.set_detect_anomaly(mode=True)  # finding: 2


def step(loader, loss):
    for x in loader:
        with torch.autograd.detect_anomaly():  # finding: 2
            loss(x).backward()
