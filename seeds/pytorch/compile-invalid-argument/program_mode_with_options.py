"""mode and options together are refused, whatever the options say."""

import torch

torch.compile(torch.nn.Linear(2, 2), mode="reduce-overhead", options={"epilogue_fusion": True})
