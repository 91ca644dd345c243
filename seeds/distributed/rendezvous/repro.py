import os
import socket
import torch.distributed as dist

busy = socket.socket()
busy.bind(("127.0.0.1", 29561))
busy.listen()
busy6 = socket.socket(socket.AF_INET6)
busy6.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
busy6.bind(("::", 29561))
busy6.listen()
os.environ["MASTER_ADDR"] = "127.0.0.1"
os.environ["MASTER_PORT"] = "29561"
dist.init_process_group("gloo", rank=0, world_size=1)
print("joined")
dist.destroy_process_group()
