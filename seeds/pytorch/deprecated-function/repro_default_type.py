import torch as t

t.set_default_tensor_type("torch.DoubleTensor")
print(t.zeros(1).dtype)
