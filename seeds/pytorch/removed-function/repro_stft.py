import torch
torch.stft(torch.ones(400), 100)
