import torch

class Config:
    def __init__(self):
        self.width = 8

torch.save({"config": Config(), "weight": torch.zeros(2)}, "checkpoint.pt")
print(torch.load("checkpoint.pt")["config"].width)
