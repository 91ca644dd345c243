import torch

def train(model, loader):
    for x in loader:
        loss = model(x).mean()
        loss.backward()

def gradient_penalty(loss_a, loss_b):
    loss_a.backward(retain_graph=True)
    loss_b.backward()
