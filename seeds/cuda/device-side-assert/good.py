import os

os.environ["CUDA_LAUNCH_BLOCKING"] = "0"
print(os.environ.get("CUDA_LAUNCH_BLOCKING"))
