from accelerate.utils import DistributedDataParallelKwargs
from torch.nn.parallel import DistributedDataParallel as DDP


def wrap(model, rank):
    return DDP(model, device_ids=[rank], find_unused_parameters=True)  # finding: 0


handler = DistributedDataParallelKwargs(find_unused_parameters=True)  # finding: 0


def trainers():
    import lightning.pytorch as pl
    from lightning.pytorch.strategies import DDPStrategy
    from transformers import TrainingArguments

    pl.Trainer(strategy="ddp_find_unused_parameters_true")  # finding: 0
    DDPStrategy(find_unused_parameters=True)  # finding: 0
    TrainingArguments("out", ddp_find_unused_parameters=True)  # finding: 0
