import torch

state = torch.nn.Linear(64, 64).state_dict()
torch.save(state, "whole.pt")
with open("whole.pt", "rb") as file:
    half = file.read(4000)
with open("half.pt", "wb") as file:
    file.write(half)  # the disk was full
print(torch.load("half.pt"))
