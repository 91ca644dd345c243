"""How rare a text is in healthy logs: what decides which of a regex's words the scanner looks for.

The choice matters more than anything else for speed: the longest literal of a regex is often a phrase that healthy logs
are full of ("connection", "site-packages/torch"), the rarest costs nothing. The figures are rough on purpose: they are
meant for training logs in general, so they are orders of magnitude by kind of word and not counts of some log.
Rarity is in bits: a text of b bits is expected about once every 2**b bytes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from functools import lru_cache

#: A text this rare (once in 64 MB) costs nothing; longer windows gain nothing more.
ENOUGH = 26.0

#: Expected once in about 2**bits bytes. Grouped by how often a healthy training log says them.
_COMMON: dict[str, float] = {
    word: bits
    for bits, words in {
        9.5: ("the and for loss step epoch info train iter time 0000 2024 2025 2026 true false none"),
        10.5: ("grad perplexity ppl reward kl entropy tok speed elapsed remaining throughput"),
        11: (
            "rank size batch lr eta acc val test data line file with from this that torch python lib model layer "
            "train_loss learning_rate grad_norm it/s gpu cuda user home local debug tokens token samples sec min "
            "max mean std eval"
        ),
        12: (
            "learning epochs steps batches best average running logs log logging results result evaluate "
            "evaluation metric metrics score f1 precision recall top1 top5 accuracy validation training testing "
            "seed warmup decay schedule adam adamw sgd momentum rewards generate generation"
        ),
        13: (
            "error warning warn device memory packages site-packages version start end global worker workers "
            "process node rate config total loaded loading saving saved checkpoint using will been not use used "
            "set has have you your are can call function module forward backward input output weight weights bias "
            "tensor float dtype float32 float16 bfloat16 int64 shape value name path key index number nccl "
            "distributed optimizer scheduler attention norm embed hidden dim heads layers param params parameters "
            "transformers https http www com github cache allocated parallel channel channels memory_allocated "
            "utilization bandwidth latency"
        ),
        14: (
            "vocab embedding embeddings sequence sequences length lengths max_length input_ids labels label mask "
            "load save saves files folder directory root cached output_dir log_dir ckpt resumed initializing "
            "initialized initialize starting started finished finish done complete completed skip skipped create "
            "created creating build building built parse parsing configs yaml json hydra omegaconf wandb "
            "tensorboard mlflow neptune comet"
        ),
        15: (
            "traceback recent last most exception runtimeerror valueerror typeerror keyerror importerror "
            "userwarning futurewarning deprecationwarning raise return import self failed fail timeout connection "
            "out of compile compiled compiler graph inductor dynamo kernel triton dataset dataloader launch "
            "launcher elastic torchrun run main init environment variable omp_num_threads default_pg "
            "process_group progress download downloading tokenizer resume resuming shard sharded fsdp ddp "
            "deepspeed accelerate lightning trainer hook autograd expected got mismatch argument arguments object "
            "attribute method class instance operator operation should must cannot could would does because "
            "please consider instead available unavailable support supported deprecated removed future release "
            "ignore ignored default type types dimension dimensions port allocation access heartbeat monitor "
            "stride view buffers trace tracing allocator pinned prefetch queue depth buffer kernels autotune "
            "profile profiler profiling compute computed communication internal format constraint anomaly written "
            "read write reading writing selected schedulers sample sampling sampler shuffle pipeline stage stages "
            "tensor_parallel data_parallel context block blocks offset padding dilation groups shapes views copy "
            "copies async sync synchronize stream streams event events callback callbacks hooks retry retrying "
            "retries wait waiting sleep timeouts interval restart restarted attempt attempts connect connected "
            "connecting connections client clients server servers request requests response responses status "
            "state states ready healthy health probe monitoring report reports reporting summary"
        ),
        16: (
            "learned original following first next previous current given provided found find check checking "
            "checked remove add added update updated usage installed install versions package required require "
            "requires enable enabled disable disabled option options flag flags setting settings runs execute "
            "executed called calls thread threads processes child parent gpus cpus devices hosts nodes host ports "
            "tcp gloo mpi backend backends operations"
        ),
        17: (
            "cublas cudnn cufft cusolver nvrtc driver toolkit capability allocate reserved assertion assert "
            "illegal invalid unexpected unknown unable unsupported unspecified uninitialized segmentation fault "
            "killed signal aborted abort core dumped broken pipe refused reset peer socket address already in "
            "watchdog collective allreduce all_reduce broadcast contiguous inplace in-place gradient gradients "
            "requires_grad detach leaf retain_graph second twice freed recompile recompiles recompilation limit "
            "guard guards break breaks fullgraph symbolic fake proxy export onnx quantized quantize jit script "
            "scripted pickle unpickle weights_only load_state_dict missing keys state_dict mps xpu rocm hip hsa "
            "xla npu shared libcuda libcudart libnvidia symbol undefined"
        ),
    }.items()
    for word in words.split()
}

#: Words that come together all the time, and are then only as rare as this.
_PHRASES: dict[str, float] = {
    "original traceback (most recent call last):": 14.0,
    "during handling of the above exception, another exception occurred": 17.0,
    "the above exception was the direct cause of the following exception": 17.0,
    "learning rate": 11.0,
    **dict.fromkeys(
        (
            "cache miss",
            "cache hit",
            "kernel size",
            "queue depth",
            "output buffer",
            "input buffer",
            "buffer size",
            "output size",
            "input size",
            "memory usage",
            "peak memory",
            "gpu memory",
            "max memory",
            "data parallel",
            "tensor parallel",
            "pipeline parallel",
            "loading checkpoint",
            "saving checkpoint",
            "time elapsed",
            "learning curve",
            "early stopping",
            "best model",
            "global step",
            "train loss",
            "eval loss",
            "model size",
        ),
        14.0,
    ),
    "number of": 13.0,
    "batch size": 12.0,
    "weight decay": 13.0,
    "gradient accumulation": 13.0,
    "mixed precision": 14.0,
    "requires_grad=true": 17.0,
    "state_dict": 14.0,
    "process group": 15.0,
    "data loader": 15.0,
    "python -m": 15.0,
    "file not found": 19.0,
    "no such file or directory": 19.0,
    "object has no attribute": 19.0,
    "not supported": 17.0,
    "is deprecated": 17.0,
    "will be removed": 17.0,
    "future release": 17.0,
    "more information": 16.0,
    "for more details": 17.0,
    "please set": 18.0,
    "you can": 14.0,
    "unable to": 18.0,
    "not found": 17.0,
    "failed to": 17.0,
    "backend='": 17.0,
}

_PIECE = re.compile(r"[A-Za-z]+|[0-9]+|[^A-Za-z0-9\s]+|\s+")
_WORD = re.compile(r"\S+")
#: A piece of three letters is in most lines; each further letter makes it a little rarer.
_LETTER_BITS = (4.0, 7.0, 9.5, 12.0, 14.0, 16.0, 18.0, 19.5, 21.0, 22.0, 23.0, 24.0)
#: Pieces of one phrase come together, so those behind the rarest add only this share of their own bits.
_CORRELATION = 0.38


@lru_cache(maxsize=65_536)
def bits_of_text(text: str) -> float:
    """The rarity of a text that may stand anywhere, also inside a longer word."""
    lowered = text.strip().lower()
    whole = _COMMON.get(lowered)
    if whole is not None:
        return whole
    pieces: list[float] = []
    for phrase, bits in _PHRASES.items():
        if lowered.strip(" :.,()[]") in phrase:
            return bits
        if phrase in lowered:
            at = lowered.index(phrase)
            stripped = text.strip()
            text = stripped[:at] + " " + stripped[at + len(phrase) :]
            lowered = text.lower()
            pieces.append(bits)
    pieces += [_bits_of_piece(piece) for piece in _PIECE.findall(text)]
    if not pieces:
        return 0.0
    rarest = max(pieces)
    # The parts of a path say nothing new: whoever prints one of them prints the others.
    correlation = _CORRELATION / 8 if "/" in text else _CORRELATION
    return rarest + correlation * (sum(pieces) - rarest)


@lru_cache(maxsize=4096)
def _bits_of_common(word: str) -> float | None:
    """The bits of a common word, or of one that it is a part of (`allocat` is in every `allocated`)."""
    known = _COMMON.get(word) or _COMMON.get(word.removesuffix("s"))
    if known is None and len(word) >= 4:
        known = min((bits for common, bits in _COMMON.items() if word in common), default=None)
    return known


@lru_cache(maxsize=65_536)
def _bits_of_piece(piece: str) -> float:
    first = piece[0]
    if first.isspace():
        return 1.0
    if first.isdigit():
        return 3.0 + 2.5 * min(len(piece), 5)
    if not (first.isalpha() and first.isascii()):
        # Punctuation is everywhere, other scripts are rare in logs of programs.
        return 3.0 + sum(1.0 if character.isascii() else 8.0 for character in piece[:4])
    known = _bits_of_common(piece.lower())
    if known is not None:
        return known
    # `RuntimeError` and `CUDABlas` are words glued together: judge each hump, they come together too.
    humps = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", piece)
    if len(humps) > 1:
        bits = [_bits_of_piece(hump) for hump in humps]
        return max(bits) + _CORRELATION * (sum(bits) - max(bits)) + 1.0
    return _LETTER_BITS[min(len(piece), len(_LETTER_BITS)) - 1]


def bits_of_set(texts: Iterable[str]) -> float:
    """The rarity of seeing any of the texts."""
    chance = sum(2.0 ** -bits_of_text(text) for text in texts)
    return -math.log2(chance) if chance else 0.0


def rarest_window(text: str, shortest: int) -> str:
    """A stretch of `text` that is rare enough, the shortest such run of whole words; the whole text if none is."""
    words = [(match.start(), match.end()) for match in _WORD.finditer(text)]
    best = text.strip() if len(text.strip()) >= shortest else text
    for count in range(1, len(words) + 1):
        windows = [text[words[i][0] : words[i + count - 1][1]] for i in range(len(words) - count + 1)]
        rare = [window for window in windows if len(window) >= shortest and bits_of_text(window) >= ENOUGH]
        if rare:
            return max(rare, key=lambda window: (bits_of_text(window), window))
    return best
