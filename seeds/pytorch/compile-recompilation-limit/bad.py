import torch
import torch._dynamo as dynamo
from torch._dynamo import config as cfg

torch._dynamo.config.recompile_limit = 0  # finding: 1
dynamo.config.cache_size_limit = -1  # finding: 1
cfg.accumulated_recompile_limit = 0  # finding: 1
setattr(cfg, "recompile_limit", 0)  # finding: 1
torch._dynamo.config.cache_size_limit = None  # finding: 2
torch._dynamo.config.cache_size_limit = 1_000_000  # finding: 3
cfg.recompile_limit = 2**16  # finding: 3
