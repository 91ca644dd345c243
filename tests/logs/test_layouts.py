# ruff: noqa: E501 - lines of logs are as long as they are
"""Layouts that no tool here can be made to print: pastes, other systems, other eras. One incident each, with its frame."""

from __future__ import annotations

import json
from dataclasses import dataclass

import pytest

from detour_lsp.logs.scan import Scanner

MESSAGE = "CUDA out of memory. Tried to allocate 512.00 MiB. GPU 0 has a total capacity of 7.79 GiB of which 90.31 MiB is free."
NAMED = f"torch.OutOfMemoryError: {MESSAGE}"
PLAIN = [
    "Traceback (most recent call last):",
    '  File "/srv/jobs/vision/train.py", line 88, in <module>',
    "    main()",
    '  File "/srv/jobs/vision/train.py", line 61, in main',
    "    loss = model(images)",
    '  File "/opt/conda/lib/python3.10/site-packages/torch/nn/modules/module.py", line 1553, in _wrapped_call_impl',
    "    return self._call_impl(*args, **kwargs)",
    '  File "/opt/conda/lib/python3.10/site-packages/torch/nn/modules/conv.py", line 458, in forward',
    "    return self._conv_forward(input, self.weight, self.bias)",
    NAMED,
]


@dataclass(frozen=True)
class Layout:
    name: str
    text: str
    file: str
    line: int
    #: Line of the log that the incident stands on.
    at: int
    source: str | None = None


def lines(*parts: str) -> str:
    return "\n".join(parts) + "\n"


LAYOUTS = [
    Layout("plain", lines(*PLAIN), "/srv/jobs/vision/train.py", 61, 10, "loss = model(images)"),
    Layout("no final newline", "\n".join(PLAIN), "/srv/jobs/vision/train.py", 61, 10),
    Layout("crlf", "\r\n".join(PLAIN) + "\r\n", "/srv/jobs/vision/train.py", 61, 10, "loss = model(images)"),
    Layout(
        "glued behind a bar",
        lines(" 12%|█▏        | 12/100 [00:03<00:22,  3.9it/s]" + PLAIN[0], *PLAIN[1:]),
        "/srv/jobs/vision/train.py",
        61,
        10,
    ),
    Layout(
        "message glued behind a bar",
        lines(*PLAIN[:-1], " 12%|█▏        | 12/100 [00:03<00:22,  3.9it/s]" + NAMED),
        "/srv/jobs/vision/train.py",
        61,
        10,
    ),
    Layout(
        "behind carriage returns",
        "".join(f"\rEpoch 1:  {n}%|#   | {n}/100" for n in range(90)) + "\r" + lines(*PLAIN),
        "/srv/jobs/vision/train.py",
        61,
        10,
    ),
    Layout(
        "bar rewritten by backspaces",
        "".join("\b" * 12 + f"[{n:3}/100]   " for n in range(30)) + lines(*PLAIN),
        "/srv/jobs/vision/train.py",
        61,
        10,
    ),
    Layout(
        "padded to the console's width",
        lines(*(line.ljust(160) for line in PLAIN)),
        "/srv/jobs/vision/train.py",
        61,
        10,
    ),
    Layout(
        "indented in a list",
        lines("- what I got:", "", *("      " + line for line in PLAIN)),
        "/srv/jobs/vision/train.py",
        61,
        12,
    ),
    Layout(
        "quoted mail",
        lines(*("> " + line for line in PLAIN)),
        "/srv/jobs/vision/train.py",
        61,
        10,
        "loss = model(images)",
    ),
    Layout("quoted twice", lines(*("> > " + line for line in PLAIN)), "/srv/jobs/vision/train.py", 61, 10),
    Layout(
        "quoted, indentation eaten",
        lines(*("> " + line.strip() for line in PLAIN)),
        "/srv/jobs/vision/train.py",
        61,
        10,
    ),
    Layout("indentation eaten", lines(*(line.strip() for line in PLAIN)), "/srv/jobs/vision/train.py", 61, 10),
    Layout("blank lines between", "\n\n".join(PLAIN) + "\n", "/srv/jobs/vision/train.py", 61, 19),
    Layout("forum quotes", lines(*PLAIN).replace(' "', " “").replace('",', "”,"), "/srv/jobs/vision/train.py", 61, 10),
    Layout(
        "html entities",
        lines(*PLAIN).replace('"', "&quot;").replace("<", "&lt;").replace(">", "&gt;"),
        "/srv/jobs/vision/train.py",
        61,
        10,
    ),
    Layout("forum ate the module tag", lines(*PLAIN).replace("<module>", ""), "/srv/jobs/vision/train.py", 61, 10),
    Layout(
        "cat -n", lines(*(f"{n:6}\t{line}" for n, line in enumerate(PLAIN, 95))), "/srv/jobs/vision/train.py", 61, 10
    ),
    Layout(
        "grep -n", lines(*(f"{n}:{line}" for n, line in enumerate(PLAIN, 995))), "/srv/jobs/vision/train.py", 61, 10
    ),
    Layout("no header", lines(*PLAIN[1:]), "/srv/jobs/vision/train.py", 61, 9),
    Layout("name torn off", lines(*PLAIN[:-1], MESSAGE), "/srv/jobs/vision/train.py", 61, 10),
    Layout("joined into one line", " ".join(line.strip() for line in PLAIN) + "\n", "/srv/jobs/vision/train.py", 61, 1),
    Layout("header and first frame joined", lines(PLAIN[0] + PLAIN[1], *PLAIN[2:]), "/srv/jobs/vision/train.py", 61, 9),
    Layout(
        "repr in a log line",
        lines("12:00:01 INFO starting", "12:00:02 ERROR worker said " + repr("\n".join(PLAIN)), "12:00:03 INFO done"),
        "/srv/jobs/vision/train.py",
        61,
        2,
    ),
    Layout(
        "json log",
        lines(
            json.dumps({"level": "error", "time": "2025-05-05T10:00:00Z", "msg": "crashed", "exc": "\n".join(PLAIN)})
        ),
        "/srv/jobs/vision/train.py",
        61,
        1,
    ),
    Layout(
        "docker's json-file",
        lines(
            *(
                json.dumps({"log": line + "\n", "stream": "stderr", "time": f"2025-05-05T10:00:00.{n:06}Z"})
                for n, line in enumerate(PLAIN)
            )
        ),
        "/srv/jobs/vision/train.py",
        61,
        10,
    ),
    Layout(
        "windows path with blanks",
        lines(
            "Traceback (most recent call last):",
            '  File "C:\\Users\\Ann Lee\\My Models\\train net.py", line 12, in <module>',
            "    net.cuda()",
            '  File "C:\\Users\\Ann Lee\\miniconda3\\envs\\dl\\lib\\site-packages\\torch\\nn\\modules\\module.py", line 905, in cuda',
            "    return self._apply(lambda t: t.cuda(device))",
            NAMED,
        ),
        "C:\\Users\\Ann Lee\\My Models\\train net.py",
        12,
        6,
        "net.cuda()",
    ),
    Layout(
        "powershell",
        lines(
            "python : Traceback (most recent call last):",
            "At line:1 char:1",
            "+ python train.py 2>&1 | tee log.txt",
            "+ ~~~~~~~~~~~~~~~~~~~~~",
            "    + CategoryInfo          : NotSpecified: (Traceback (most recent call last)::String) [], RemoteException",
            "    + FullyQualifiedErrorId : NativeCommandError",
            " ",
            '  File "D:\\work\\train.py", line 5, in <module>',
            "    step()",
            '  File "D:\\work\\train.py", line 3, in step',
            "    x = torch.zeros(1 << 40).cuda()",
            NAMED,
        ),
        "D:\\work\\train.py",
        3,
        12,
    ),
    Layout(
        "hard-wrapped frames",
        lines(
            "Traceback (most recent call last):",
            '  File "/home/research/projects/very-long-name-of-an-experiment/with/deep/folde',
            'rs/train.py", line 40, in run',
            "    model.fit()",
            NAMED,
        ),
        "/home/research/projects/very-long-name-of-an-experiment/with/deep/folders/train.py",
        40,
        5,
    ),
    Layout(
        "links to files",
        lines(
            "RuntimeError                              Traceback (most recent call last)",
            "Cell In[4], line 2",
            "      1 net = build(30)",
            "----> 2 net.fit(epochs=3)",
            "",
            "File [~/lab/nets/mlp.py:20](http://gpu07.example.org:8890/lab/tree/lab/~/lab/nets/mlp.py#line=19), in MLP.forward(self, x)",
            "     [18](http://gpu07.example.org:8890/lab/tree/lab/~/lab/nets/mlp.py#line=17) def forward(self, x):",
            "---> [20](http://gpu07.example.org:8890/lab/tree/lab/~/lab/nets/mlp.py#line=19)     return self.body(x)",
            "",
            "File [/opt/conda/lib/python3.10/site-packages/torch/nn/modules/module.py:1739](https://vscode-remote+ssh.example.net/opt/conda/module.py:1739), in Module._wrapped_call_impl(self, *args, **kwargs)",
            "-> [1739](https://vscode-remote+ssh.example.net/opt/conda/module.py:1739)     return self._call_impl(*args, **kwargs)",
            "",
            f"RuntimeError: {MESSAGE}",
        ),
        "~/lab/nets/mlp.py",
        20,
        13,
    ),
    Layout(
        "header behind a bar, times below",
        lines(
            "Steps:  17%|█▋        | 501/3000 [11:44<5:08:08,  7.40s/it]Traceback (most recent call last):",
            '2024-12-12T15:10:06.213809869Z   File "/workspace/ui/train.py", line 56, in main',
            "2024-12-12T15:10:06.213814599Z     noise = unet(latents)",
            '2024-12-12T15:10:06.213817899Z   File "/venv/lib/python3.10/site-packages/torch/nn/modules/module.py", line 1130, in _call_impl',
            "2024-12-12T15:10:06.213821349Z     return forward_call(*input, **kwargs)",
            f"2024-12-12T15:10:06.213851829Z RuntimeError: {MESSAGE}",
        ),
        "/workspace/ui/train.py",
        56,
        6,
        "noise = unet(latents)",
    ),
    Layout(
        "longest line as wide as a window",
        lines(
            "Traceback (most recent call last):",
            r'  File "D:\work\exp\ui\train.py", line 45, in <module>',
            "    fit(net)",
            r'  File "D:\work\experiments-experiments-experiments-experiments-experiments-experiments\ui\venv\Lib\site-packages\torch\library.py", line 1866, in compile_every',
            f'    raise RuntimeError("{MESSAGE}")',
            f"RuntimeError: {MESSAGE}",
        ),
        r"D:\work\exp\ui\train.py",
        45,
        6,
        "fit(net)",
    ),
    Layout(
        "code that a hub brought",
        lines(
            "Traceback (most recent call last):",
            '  File "/content/drive/MyDrive/lab/train.py", line 12, in <module>',
            "    fit(net)",
            r'  File "D:\lab\env\Scripts\accelerate.exe\__main__.py", line 7, in <module>',
            '  File "/home/ann/torchdynamo/torchdynamo/eval_frame.py", line 80, in _fn',
            '  File "/root/.cache/torch/hub/lab_net_main/models/common.py", line 56, in forward',
            "    return self.act(self.conv(x))",
            '  File "/data/hf/modules/transformers_modules/lab/net-6b/modeling_net.py", line 900, in forward',
            "    h = layer(h)",
            NAMED,
        ),
        "/content/drive/MyDrive/lab/train.py",
        12,
        10,
        "fit(net)",
    ),
    Layout(
        "colab",
        lines(
            "---------------------------------------------------------------------------",
            "OutOfMemoryError                          Traceback (most recent call last)",
            "[<ipython-input-9-64fb0f9dc1a4>](https://localhost:8080/#) in <cell line: 0>()",
            "      1 net = Net().cuda()",
            "----> 2 train(net)",
            "",
            "2 frames",
            "[<ipython-input-8-9f34ab7a5ed5>](https://localhost:8080/#) in train(net)",
            "      3     for x in data:",
            "----> 4         net(x)",
            "      5     return net",
            "",
            "[/usr/local/lib/python3.11/dist-packages/torch/nn/modules/module.py](https://localhost:8080/#) in _wrapped_call_impl(self, *args, **kwargs)",
            "   1737             return self._compiled_call_impl(*args, **kwargs)  # type: ignore[misc]",
            "   1738         else:",
            "-> 1739             return self._call_impl(*args, **kwargs)",
            "",
            f"OutOfMemoryError: {MESSAGE}",
        ),
        "<ipython-input-8-9f34ab7a5ed5>",
        4,
        18,
        "net(x)",
    ),
    Layout(
        "newer colab",
        lines(
            "/tmp/ipython-input-3391239829.py in <cell line: 0>()",
            "      1 x = 1",
            "----> 2 big(x)",
            "",
            "/tmp/ipython-input-1111111111.py in big(n)",
            "      1 def big(n):",
            "----> 2     return torch.zeros(10**12, device='cuda')",
            "",
            f"OutOfMemoryError: {MESSAGE}",
        ),
        "/tmp/ipython-input-1111111111.py",
        2,
        9,
    ),
    Layout(
        "kaggle",
        lines(
            "/tmp/ipykernel_17/2911803931.py in <module>",
            "      5 ",
            "----> 6 trainer.train()",
            "",
            "/opt/conda/lib/python3.7/site-packages/transformers/trainer.py in train(self, resume_from_checkpoint, **kwargs)",
            "   1408         )",
            "-> 1409         return inner_training_loop(",
            "   1410             args=args,",
            "",
            f"RuntimeError: {MESSAGE}",
        ),
        "/tmp/ipykernel_17/2911803931.py",
        6,
        10,
    ),
    Layout(
        "vs code notebook",
        lines(
            "---------------------------------------------------------------------------",
            "OutOfMemoryError                          Traceback (most recent call last)",
            "\x1b[1;32m/home/ann/lab/first.ipynb Cell 7\x1b[0m line \x1b[0;36m3\x1b[0m",
            "\x1b[1;32m      <a href='vscode-notebook-cell:/home/ann/lab/first.ipynb#X1?line=0'>1</a>\x1b[0m a = 1",
            "\x1b[0;32m----> <a href='vscode-notebook-cell:/home/ann/lab/first.ipynb#X1?line=2'>3</a>\x1b[0m fit(a)",
            "",
            f"OutOfMemoryError: {MESSAGE}",
        ),
        "/home/ann/lab/first.ipynb",
        3,
        7,
    ),
    Layout(
        "databricks",
        lines(
            "File <command-4182731>:3, in fit(model)",
            "      1 def fit(model):",
            "      2     for x in loader:",
            "----> 3         model(x)",
            "File /databricks/python/lib/python3.10/site-packages/torch/nn/modules/module.py:1501, in Module._call_impl(self, *args, **kwargs)",
            "   1500     return forward_call(*args, **kwargs)",
            "-> 1501 result = forward_call(*args, **kwargs)",
            f"OutOfMemoryError: {MESSAGE}",
        ),
        "<command-4182731>",
        3,
        8,
    ),
    Layout(
        "old IPython module frame",
        lines(
            "~/lab/nets/unet.py in forward(self, x)",
            "     41         h = self.down(x)",
            "---> 42         h = self.mid(h)",
            "     43         return self.up(h)",
            "",
            "~/miniconda3/envs/dl/lib/python3.8/site-packages/torch/nn/modules/module.py in _call_impl(self, *input, **kwargs)",
            "--> 889             result = self.forward(*input, **kwargs)",
            "",
            f"RuntimeError: {MESSAGE}",
        ),
        "~/lab/nets/unet.py",
        42,
        9,
        "h = self.mid(h)",
    ),
    Layout(
        "rich box in ASCII, other tool's prefix",
        lines(
            *(
                "trainer | " + line
                for line in (
                    "+--------------------- Traceback (most recent call last) ---------------------+",
                    "| /srv/app/train.py:21 in main                                                |",
                    "|                                                                             |",
                    "|   20 |   for batch in data:                                                 |",
                    "| > 21 |   |   model(batch)                                                   |",
                    "|   22 |   CUDA out of memory. Tried to allocate 1.00 GiB.                     |",
                    "|                                                                             |",
                    "| /opt/venv/lib/python3.10/site-packages/torch/nn/modules/module.py:1501 in   |",
                    "| _call_impl                                                                  |",
                    "|                                                                             |",
                    "| > 1501 |   |   |   return forward_call(*args, **kwargs)                       |",
                    "+-----------------------------------------------------------------------------+",
                    f"OutOfMemoryError: {MESSAGE}",
                )
            )
        ),
        "/srv/app/train.py",
        21,
        13,
        "model(batch)",
    ),
    Layout(
        "webui",
        lines(
            "*** Error completing request",
            "*** Arguments: ('task(x)', 'a cat', '', [], 20, 'DPM++ 2M')",
            *("    " + line for line in PLAIN),
            "",
            "---",
        ),
        "/srv/jobs/vision/train.py",
        61,
        12,
    ),
    Layout(
        "comfyui",
        lines(
            f"!!! Exception during processing !!! {MESSAGE}",
            "Traceback (most recent call last):",
            '  File "D:\\Comfy Portable\\ComfyUI\\execution.py", line 327, in execute',
            "    output_data, output_ui, has_subgraph = get_output_data(obj, input_data_all)",
            '  File "D:\\Comfy Portable\\ComfyUI\\comfy\\sample.py", line 45, in sample',
            "    samples = sampler.sample(noise)",
            '  File "D:\\Comfy Portable\\python_embeded\\Lib\\site-packages\\torch\\utils\\_contextlib.py", line 116, in decorate_context',
            "    return func(*args, **kwargs)",
            NAMED,
        ),
        "D:\\Comfy Portable\\ComfyUI\\comfy\\sample.py",
        45,
        1,
    ),
    Layout(
        "ray",
        lines(
            "Error executing job with overrides: ['trainer.n=8']",
            "ray.exceptions.RayTaskError(OutOfMemoryError): \x1b[36mray::Actor.step()\x1b[39m (pid=71, ip=10.1.2.3, actor_id=ab12)",
            '  File "/workspace/rl/actor.py", line 90, in step',
            "    loss.backward()",
            '  File "/usr/local/lib/python3.10/dist-packages/torch/_tensor.py", line 581, in backward',
            "    torch.autograd.backward(",
            NAMED,
        ),
        "/workspace/rl/actor.py",
        90,
        7,
    ),
    Layout(
        "torch checkout",
        lines(
            "Traceback (most recent call last):",
            '  File "/data/dev/pytorch/test/test_big.py", line 9, in test_big',
            "    run()",
            '  File "/data/dev/pytorch/torch/testing/_internal/common_utils.py", line 2756, in wrapper',
            "    method(*args, **kwargs)",
            '  File "/data/dev/pytorch/torch/nn/modules/module.py", line 1532, in _wrapped_call_impl',
            "    return self._call_impl(*args, **kwargs)",
            NAMED,
        ),
        "/data/dev/pytorch/test/test_big.py",
        9,
        8,
    ),
    Layout(
        "generated file below",
        lines(
            "Traceback (most recent call last):",
            '  File "/home/ann/gpt/model.py", line 207, in forward',
            "    return self.block(x)",
            '  File "/tmp/torchinductor_ann/7m/c7mbvjrj7g66o4tezug3tq3apeygoddhtdi5qynal6l7q3ofpdex.py", line 3957, in call',
            "    buf806 = empty((16384, 1536), device='cuda', dtype=torch.float16)",
            NAMED,
        ),
        "/home/ann/gpt/model.py",
        207,
        6,
    ),
    Layout(
        "standard library below",
        lines(
            "Traceback (most recent call last):",
            '  File "/home/ann/gpt/data.py", line 20, in __iter__',
            "    yield q.get()",
            '  File "/home/ann/miniforge3/lib/python3.12/queue.py", line 171, in get',
            "    self.not_empty.wait()",
            '  File "<frozen importlib._bootstrap>", line 1204, in _gcd_import',
            '  File "<string>", line 1, in <module>',
            NAMED,
        ),
        "/home/ann/gpt/data.py",
        20,
        8,
    ),
    Layout(
        "stack inside the message",
        lines(
            f'RuntimeError: {MESSAGE} Stack trace: File "/home/ann/v/tok.py", line 90, in forward',
            "    e = self.encoder(frames)",
            '  File "/home/ann/v/embed.py", line 40, in forward',
            "    x = self.proj(x). To prevent overwriting, clone the tensor.",
        ),
        "/home/ann/v/embed.py",
        40,
        1,
    ),
    Layout(
        "user frames only in the outer exception",
        lines(
            '  File "/opt/c/lib/python3.7/site-packages/torch/nn/functional.py", line 840, in threshold',
            "    result = _VF.threshold(input, threshold, value)",
            f"RuntimeError: {MESSAGE}",
            "",
            "During handling of the above exception, another exception occurred:",
            "",
            "Traceback (most recent call last):",
            '  File "bench.py", line 155, in <module>',
            "    main()",
            '  File "bench.py", line 78, in main',
            "    y = model(x)",
        ),
        "bench.py",
        78,
        3,
    ),
    Layout(
        "message before the traceback",
        lines(
            f"[2025-01-02 03:04:05,678] [ERROR] worker failed: {MESSAGE}",
            *PLAIN[:-1],
        ),
        "/srv/jobs/vision/train.py",
        61,
        1,
    ),
    Layout(
        "sglang",
        lines(*("[2025-03-01 10:00:00 TP3] " * (n == 0) + line for n, line in enumerate(PLAIN))),
        "/srv/jobs/vision/train.py",
        61,
        10,
    ),
    Layout(
        "older vllm",
        lines(
            *(
                f"(VllmWorkerProcess pid=97) ERROR 05-12 10:11:{n:02} multiproc_worker_utils.py:120] {line}"
                for n, line in enumerate(PLAIN, 0)
            )
        ),
        "/srv/jobs/vision/train.py",
        61,
        10,
    ),
    Layout(
        "systemd",
        lines(*(f"Nov 30 12:00:{n:02} gpu3 train.sh[4711]: {line}" for n, line in enumerate(PLAIN))),
        "/srv/jobs/vision/train.py",
        61,
        10,
    ),
    Layout(
        "sagemaker",
        lines(*(f"[1,mpirank:5,algo-2]<stderr>:{line}" for line in PLAIN)),
        "/srv/jobs/vision/train.py",
        61,
        10,
    ),
    Layout(
        "kubectl --prefix",
        lines(*(f"[pod/train-7d9f/pytorch] {line}" for line in PLAIN)),
        "/srv/jobs/vision/train.py",
        61,
        10,
    ),
    Layout(
        "ts",
        lines(*(f"Nov 30 12:00:{n:02} {line}" for n, line in enumerate(PLAIN))),
        "/srv/jobs/vision/train.py",
        61,
        10,
    ),
    Layout(
        "github actions",
        lines(
            *(f"2025-05-05T10:00:{n:02}.1234567Z {line}" for n, line in enumerate(PLAIN)),
            "2025-05-05T10:00:30.1234567Z ##[error]Process completed with exit code 1.",
        ),
        "/srv/jobs/vision/train.py",
        61,
        10,
    ),
    Layout(
        "folders left out by hand",
        lines(
            "Cell In[7], line 31, in fit(net, rounds)",
            "     29 for images in rounds:",
            "---> 31     net(images).sum().backward()",
            "     32     step()",
            "",
            "File ~/.../_tensor.py:630, in Tensor.backward(self, gradient, retain_graph, create_graph, inputs)",
            "--> 630 torch.autograd.backward(",
            "    631     self, gradient, retain_graph, create_graph, inputs=inputs",
            "",
            "File ~/.../autograd/__init__.py:364, in backward(tensors, grad_tensors)",
            "--> 364 _engine_run_backward(",
            "",
            NAMED,
        ),
        "Cell In[7]",
        31,
        13,
    ),
    Layout(
        "no header, a cut warning above",
        lines(
            "/opt/venv/lib/python3.9/site-packages/torch/optim/lr_scheduler.py:134: UserWarning: Something that goes on and o",
            '  File "tune.py", line 88, in <module>',
            "    main()",
            '  File "tune.py", line 61, in main',
            "    net(images)",
            '  File "/opt/venv/lib/python3.9/site-packages/torch/nn/modules/module.py", line 889, in _call_impl',
            "    result = self.forward(*input, **kwargs)",
            NAMED,
        ),
        "tune.py",
        61,
        8,
        "net(images)",
    ),
    Layout(
        "VS Code's debugger, innermost first",
        lines(
            "Exception has occurred: OutOfMemoryError       (note: full exception trace is shown but execution is paused at: run)",
            MESSAGE,
            '  File "/srv/jobs/vision/layers.py", line 17, in forward',
            "    return self.project(images)",
            '  File "/srv/jobs/vision/train.py", line 61, in main',
            "    loss = model(images)",
            '  File "/srv/jobs/vision/train.py", line 88, in <module>',
            "    main()",
        ),
        "/srv/jobs/vision/layers.py",
        17,
        2,
        "return self.project(images)",
    ),
    Layout(
        "a report in JSON over several lines",
        json.dumps(
            {"node": "sampler", "data": {"exception_message": MESSAGE, "traceback": ["\n".join(PLAIN[1:5])]}}, indent=4
        ),
        "/srv/jobs/vision/train.py",
        61,
        4,
    ),
    Layout(
        "an older VS Code, outermost first, and once more at the end",
        lines(
            "Exception has occurred: RuntimeError",
            '  File "/srv/jobs/vision/train.py", line 88, in <module>',
            "    main()",
            '  File "/srv/jobs/vision/train.py", line 61, in main',
            "    loss = model(images)",
            NAMED,
        ),
        "/srv/jobs/vision/train.py",
        61,
        6,
    ),
    Layout(
        "Cython's frames, which name places in a tree elsewhere",
        lines(
            *PLAIN[:5],
            '  File "wheelhouse/_lib/table.pyx", line 70, in wheelhouse._lib.table.Index.lookup',
            '  File "wheelhouse/_lib/helper.pxi", line 1675, in wheelhouse._lib.table.Map.get',
            NAMED,
        ),
        "/srv/jobs/vision/train.py",
        61,
        8,
    ),
    Layout(
        "invalid UTF-8 and NULs",
        lines(*PLAIN).replace("images", "im\udcffag\x00es"),
        "/srv/jobs/vision/train.py",
        61,
        10,
    ),
]


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
def test_layout(scanner: Scanner, layout: Layout) -> None:
    incidents = scanner.scan(layout.text.encode("utf-8", "surrogateescape"), "x.log")
    assert [(incident.record, incident.count) for incident in incidents] == [("t/oom", 1)]
    incident = incidents[0]
    assert incident.span.line == layout.at
    assert incident.captures["requested"] == "512.00 MiB"
    frame = incident.user_frame
    assert frame is not None
    assert (frame.file, frame.line) == (layout.file, layout.line)
    if layout.source is not None:
        assert frame.source == layout.source


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-8-sig"])
def test_encodings(scanner: Scanner, encoding: str) -> None:
    text = lines("Überschrift – 训练", *PLAIN)
    if encoding in ("utf-16-le", "utf-16-be"):
        # Without a mark only Latin letters give the encoding away.
        text = lines(*PLAIN)
    incidents = scanner.scan(text.encode(encoding), "x.log")
    assert [incident.record for incident in incidents] == ["t/oom"]
    assert incidents[0].user_frame is not None
    assert incidents[0].user_frame.line == 61
    assert incidents[0].span.column == len("torch.OutOfMemoryError: ") + 1
