import torch
import torch.serialization

torch.serialization.location_tag = lambda storage: "cuda:1"  # as written on a GPU machine
torch.save({"weight": torch.ones(3)}, "gpu.pt")


def restore(path):
    return torch.load(path)


print(restore("gpu.pt")["weight"])
