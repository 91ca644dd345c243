from vllm import LLM
# needs vllm and a GPU: no room for the weights
llm = LLM("facebook/opt-125m", gpu_memory_utilization=0.001)
print(llm.generate("hello"))
