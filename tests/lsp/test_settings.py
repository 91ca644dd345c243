"""Settings and configuration: from each client in its way, per folder, from `pyproject.toml`, without a restart."""

from __future__ import annotations

from pathlib import Path

from lsprotocol import types

from .harness import Client
from .matrix import MATRIX, feature
from .scene import BAD, LIMIT, Scene

pytestmark = MATRIX


@feature("workspace/didChangeConfiguration")
async def test_settings_change_without_a_restart(client: Client, scene: Scene) -> None:
    uri = client.open(scene.folder / "bad.py", BAD)
    await client.findings(uri, 1)
    client.use_settings({"check": {"enable": False}})
    await client.findings(uri, 0)
    client.use_settings({"check.enable": True})
    await client.findings(uri, 1)
    client.use_settings({"ignore": [LIMIT]})
    await client.findings(uri, 0)
    asked = [params for method, params in client.received if method == types.WORKSPACE_CONFIGURATION]
    assert bool(asked) == client.profile.asked, "a client is asked exactly when it says that it answers"
    assert all(params.items[0].section == "detour" for params in asked)


@feature("workspace/didChangeConfiguration")
async def test_a_wrong_setting_is_named_and_its_default_used(client: Client, scene: Scene) -> None:
    client.warnings.append(r"detour\.check\.enable")
    client.use_settings({"check": {"enable": "perhaps"}, "ignore": [LIMIT]})
    uri = client.open(scene.folder / "bad.py", BAD + "torch._dynamo.config.suppress_errors = True\n")
    (finding,) = await client.findings(uri, 1)
    assert finding.code == "pytorch/compile-errors-suppressed"

    async def named() -> list[str]:
        return [message.message for message in client.log_messages if "detour.check.enable" in message.message]

    await client.until(named, bool)


@feature("workspace/didChangeConfiguration")
async def test_settings_that_are_sent_count_where_the_client_has_none_to_ask_for(client: Client, scene: Scene) -> None:
    """Neovim and others answer null for what is not configured, and may still send settings."""
    uri = client.open(scene.folder / "bad.py", BAD)
    await client.findings(uri, 1)
    client.set_configuration({})
    sent = {"detour": {"ignore": [LIMIT]}}
    client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings=sent))
    await client.findings(uri, 0)


@feature("workspace/didChangeConfiguration")
async def test_incidents_follow_the_settings_too(client: Client, scene: Scene) -> None:
    uri = scene.net.as_uri()
    client.run_in_terminal(scene.mismatch, cwd=scene.folder)
    await client.pushed(uri, 1)
    client.use_settings({"incidents": {"enable": False}})
    await client.pushed(uri, 0)
    client.use_settings({"ignore": ["pytorch"]})
    client.use_settings({})
    await client.pushed(uri, 1)


@feature("workspace/didChangeConfiguration")
async def test_the_server_registers_for_what_the_client_lets_it(client: Client) -> None:
    async def registered() -> set[str]:
        return set(client.registered)

    await client.until(registered, lambda found: found == client.profile.registers)
    client.use_settings({"ignore": [LIMIT]})
    await client.ask("detour/card", {"record": LIMIT})
    assert set(client.registered) == client.profile.registers, "once, whatever is set later"
    watched = client.registered.get(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    if watched is not None:
        patterns = {item["globPattern"] for item in watched["watchers"]}
        assert {"**/pyproject.toml", "**/record.json"} <= patterns


@feature("workspace/didChangeConfiguration")
async def test_clients_that_pull_are_told_to_pull_again(client: Client, scene: Scene) -> None:
    """Others are pushed to; nobody is sent what he did not say he knows."""
    uri = client.open(scene.folder / "bad.py", BAD)
    log = client.open(scene.log(scene.mismatch), language="log")
    await client.findings(uri, 1)
    await client.pushed(log, 1)
    await client.pushed(scene.net.as_uri(), 1)
    client.received.clear()
    client.use_settings({"ignore": [LIMIT]})

    async def asked() -> set[str]:
        return {method for method, _ in client.received} & {
            types.WORKSPACE_DIAGNOSTIC_REFRESH,
            types.WORKSPACE_CODE_LENS_REFRESH,
        }

    await client.until(asked, lambda found: found == client.profile.refreshes)
    await client.findings(uri, 0)


def write(folder: Path, text: str) -> None:
    (folder / "pyproject.toml").write_text(text)


def tell_change(client: Client, folder: Path, kind: types.FileChangeType) -> None:
    """What a client that watches says; the others say nothing, and the server has to see it itself."""
    if types.WORKSPACE_DID_CHANGE_WATCHED_FILES in client.profile.registers:
        event = types.FileEvent((folder / "pyproject.toml").as_uri(), kind)
        client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))


@feature("textDocument/didOpen")
async def test_a_changed_pyproject_counts_at_once(client: Client, scene: Scene) -> None:
    uri = client.open(scene.folder / "bad.py", BAD)
    await client.findings(uri, 1)
    client.run_in_terminal(scene.limit, cwd=scene.folder)
    await client.pushed(scene.net.as_uri(), 1)
    write(scene.folder, f'[tool.detour]\nignore = ["{LIMIT}"]\n')
    tell_change(client, scene.folder, types.FileChangeType.Created)
    await client.findings(uri, 0)
    await client.pushed(scene.net.as_uri(), 0)
    write(scene.folder, '[tool.detour]\ntorch = "2.0.1"\n')
    tell_change(client, scene.folder, types.FileChangeType.Changed)
    found = await client.findings(uri, 2)
    assert any("2.7" in item.message for item in found), "torch 2.0.1 knows no recompile_limit"
    await client.pushed(scene.net.as_uri(), 1)
    (scene.folder / "pyproject.toml").unlink()
    tell_change(client, scene.folder, types.FileChangeType.Deleted)
    await client.findings(uri, 1)


@feature("workspace/didChangeWatchedFiles")
async def test_whoever_tells_of_changed_files_is_heard(client: Client, scene: Scene) -> None:
    """Also a client that could not be asked to."""
    uri = client.open(scene.folder / "bad.py", BAD)
    await client.findings(uri, 1)
    write(scene.folder, f'[tool.detour]\nignore = ["{LIMIT}"]\n')
    event = types.FileEvent((scene.folder / "pyproject.toml").as_uri(), types.FileChangeType.Created)
    client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
    await client.findings(uri, 0)


@feature("workspace/didChangeWorkspaceFolders")
async def test_a_second_folder_has_its_own_settings_and_configuration(
    client: Client, scene: Scene, tmp_path: Path
) -> None:
    second = tmp_path / "second"
    second.mkdir()
    write(second, '[tool.detour]\nignore = ["pytorch/amp-deprecated-names"]\n')
    text = BAD + "torch.cuda.amp.autocast()\n"
    (outside, inside) = (client.open(second / "bad.py", text), client.open(scene.folder / "bad.py", text))
    await client.findings(outside, 1)
    await client.findings(inside, 2)
    folder = types.WorkspaceFolder(second.as_uri(), "second")
    client.set_configuration({"detour": {"ignore": [LIMIT]}}, scope_uri=second.as_uri())
    joined = types.WorkspaceFoldersChangeEvent([folder], [])
    client.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(joined))
    # Only who can be asked has settings for a folder; what is sent counts for all of them.
    await client.findings(outside, 0 if client.profile.asked else 1)
    await client.findings(inside, 2)
    # A failure in it is found by its own files.
    program = second / "second_only.py"
    program.write_text("import torch\n\nx = torch.ones(4, 10) @ torch.ones(12, 2)\n")
    log = (
        'Traceback (most recent call last):\n  File "/elsewhere/second_only.py", line 3, in <module>\n'
        "    x = torch.ones(4, 10) @ torch.ones(12, 2)\n"
        "RuntimeError: mat1 and mat2 shapes cannot be multiplied (4x10 and 12x2)\n"
    )
    client.run_in_terminal(log, command="python second_only.py")
    (incident,) = await client.pushed(program.as_uri(), 1)
    assert incident.range.start.line == 2
    left = types.WorkspaceFoldersChangeEvent([], [folder])
    client.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(left))
    await client.findings(outside, 1)
