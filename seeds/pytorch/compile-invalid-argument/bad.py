import torch

model = torch.nn.Linear(2, 2)
a = torch.compile(model, mode="max-autotune", options={"max_autotune": True})  # finding: 1
b = torch.compile(mode="reduce-overhead", options={"triton.cudagraphs": True})  # finding: 1
