import functorch
import torch
import torchvision.models as models  # finding: 27
from torch import nn
from torch.utils.data._utils.collate import default_collate  # finding: 36
from torchvision.transforms import v2


def old(a, b, x, model):
    torch.cholesky(a)  # finding: 6
    torch.cholesky(a, upper=True)  # finding: 7
    torch.qr(a)  # finding: 8
    torch.qr(a, some=False)  # finding: 9
    torch.chain_matmul(a, b, a)  # finding: 10
    torch.range(0, 5)  # finding: 11
    torch.ger(a, b)  # finding: 12
    torch.norm(a)  # finding: 13
    nn.UpsamplingNearest2d(2)  # finding: 14
    torch.testing.assert_allclose(a, b)  # finding: 15
    functorch.vmap(old)  # finding: 28
    for p in model.parameters():
        p.require_grad = False  # finding: 18
    torch.log(1 + x)  # finding: 19
    y = torch.exp(x) - 1  # finding: 20
    models.resnet50(pretrained=True)  # finding: 21
    models.resnet50(pretrained=False)  # finding: 22
    models.detection.fcos_resnet50_fpn(pretrained=True)  # finding: 23
    v2.ToTensor()  # finding: 26
    return y, default_collate  # finding: 36
