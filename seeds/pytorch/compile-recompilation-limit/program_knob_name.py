"""recompile_limit is called cache_size_limit up to torch 2.6: AttributeError there, accepted from 2.7 on."""
import torch
import torch._dynamo

torch._dynamo.config.recompile_limit = 32
print("accepted")
