import torch

def train(model, loader):
    total = 0
    for x in loader:
        total = total + model(x).mean()
        total.backward(retain_graph=True)  # finding: 1
