from torch.nn.parallel import DistributedDataParallel as DDP


def wrap(model, rank, unused):
    DDP(model, device_ids=[rank], find_unused_parameters=False)
    return DDP(model, device_ids=[rank], find_unused_parameters=unused)
