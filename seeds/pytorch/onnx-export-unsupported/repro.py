"""The legacy exporter has no translation for torch.special.i0."""
import torch


class Window(torch.nn.Module):
    def forward(self, x):
        return torch.special.i0(x) + 1


torch.onnx.export(Window(), (torch.ones(2, 2),), "window.onnx", dynamo=False)
