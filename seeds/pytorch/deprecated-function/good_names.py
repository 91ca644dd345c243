import numpy as np
import timm
import torch
from torch.utils.data import default_collate
from torchvision import models, transforms


def new(a, b, x, model):
    torch.linalg.cholesky(a)
    torch.linalg.qr(a)
    torch.arange(0, 5)
    np.linalg.norm(a)
    a.norm()
    torch.linalg.vector_norm(a)
    torch.func.vmap(new)
    for p in model.parameters():
        p.requires_grad = False
    torch.log1p(x)
    torch.log(x + 10)
    torch.exp(x) - 2
    models.resnet50(weights="IMAGENET1K_V1")
    timm.create_model("resnet50", pretrained=True)
    transforms.ToTensor()
    return default_collate
