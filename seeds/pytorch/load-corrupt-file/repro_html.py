import torch

with open("weights.pth", "w") as file:
    file.write("<!DOCTYPE html><html><body>404 Not Found</body></html>")
print(torch.load("weights.pth", weights_only=False))
