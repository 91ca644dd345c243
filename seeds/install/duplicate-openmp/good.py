import os

os.environ["KMP_AFFINITY"] = "granularity=fine"
os.environ["KMP_DUPLICATE_LIB_OK"] = "FALSE"
