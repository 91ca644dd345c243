"""A config attribute that does not exist."""
import torch
import torch._dynamo

torch._dynamo.config.capture_scalar_output = True
print("set")
