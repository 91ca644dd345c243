from accelerate.utils import DistributedDataParallelKwargs
from torch.nn.parallel import DistributedDataParallel as DDP


def wrap(model, rank):
    return DDP(model, device_ids=[rank], find_unused_parameters=True)  # finding: 0


handler = DistributedDataParallelKwargs(find_unused_parameters=True)  # finding: 0
