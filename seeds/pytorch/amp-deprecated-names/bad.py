import torch
from torch.cuda import amp


def step(model, x):
    scaler = amp.GradScaler()  # finding: 0
    with torch.cuda.amp.autocast(dtype=torch.float16):  # finding: 0
        loss = model(x).mean()
    return scaler.scale(loss)
