import os

os.environ["TORCH_NCCL_ASYNC_ERROR_HANDLING"] = "1"
