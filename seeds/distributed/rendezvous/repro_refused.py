import datetime
import torch.distributed as dist

limit = datetime.timedelta(seconds=3)
dist.init_process_group("gloo", init_method="tcp://127.0.0.1:29563", rank=1, world_size=2, timeout=limit)
