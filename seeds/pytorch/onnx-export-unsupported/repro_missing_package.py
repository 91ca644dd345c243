"""The default exporter needs onnxscript, which torch does not install."""
import torch

torch.onnx.export(torch.nn.Linear(2, 2), (torch.ones(1, 2),), "linear.onnx")
print("exported")
