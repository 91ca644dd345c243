import argparse
import torch

torch.save({"args": argparse.Namespace(lr=0.1), "step": 3}, "state.pt")
print(torch.load("state.pt")["step"])
