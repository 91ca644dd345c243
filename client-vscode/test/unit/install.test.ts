import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import type * as vscode from 'vscode';
import { findInstalled, findWheel, installCommands, prepareInstallation } from '../../src/server/install';
import { Emitter, tick } from './fakes';

test('the wheel of a package without a server is found, and the environment that belongs to its version', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'detour-wheel-'));
  assert.equal(await findWheel(folder, '/storage'), undefined);
  mkdirSync(path.join(folder, 'wheel'));
  assert.equal(await findWheel(folder, '/storage'), undefined);
  const file = path.join(folder, 'wheel', 'detour_lsp-0.1.0-py3-none-any.whl');
  writeFileSync(file, '');
  const wheel = await findWheel(folder, path.join(folder, 'storage'));
  assert.deepEqual(wheel, { file, environment: path.join(folder, 'storage', 'detour_lsp-0.1.0') });
  assert.equal(await findInstalled(wheel, 'linux'), undefined);
  assert.equal(await findInstalled(undefined, 'linux'), undefined);
  mkdirSync(path.join(wheel.environment, 'bin'), { recursive: true });
  writeFileSync(path.join(wheel.environment, 'bin', 'detour'), '#!/bin/sh\n', { mode: 0o755 });
  assert.equal(await findInstalled(wheel, 'linux'), path.join(wheel.environment, 'bin', 'detour'));
  rmSync(folder, { recursive: true });
});

test('the commands are quoted for the shell at hand', () => {
  const wheel = { file: '/ext/wheel/d.whl', environment: '/my store/d' };
  assert.deepEqual(installCommands(wheel, 'python3', '/bin/bash', 'linux'), ["python3 -m venv '/my store/d'", "'/my store/d/bin/python' -m pip install /ext/wheel/d.whl"]);
  assert.equal(installCommands(wheel, 'python3', 'pwsh', 'linux')[1], "& '/my store/d/bin/python' -m pip install /ext/wheel/d.whl");
});

function terminals() {
  const integration = new Emitter<vscode.TerminalShellIntegrationChangeEvent>();
  const end = new Emitter<vscode.TerminalShellExecutionEndEvent>();
  const close = new Emitter<vscode.Terminal>();
  const sent: [string, boolean | undefined][] = [];
  const terminal = { show: () => undefined, sendText: (text: string, execute?: boolean) => sent.push([text, execute]) } as unknown as vscode.Terminal;
  const window = {
    createTerminal: () => terminal,
    onDidChangeTerminalShellIntegration: integration.event,
    onDidEndTerminalShellExecution: end.event,
    onDidCloseTerminal: close.event,
  } as unknown as Parameters<typeof prepareInstallation>[0];
  return { integration, end, close, sent, terminal, window };
}

test('the commands are typed at the prompt, once, and not run; what ends well is looked at', async () => {
  const { integration, end, close, sent, terminal, window } = terminals();
  let done = 0;
  prepareInstallation(window, ['a', 'b'], '/bin/zsh', () => { done += 1; }, 20);
  assert.deepEqual(sent, []);
  integration.fire({ terminal } as vscode.TerminalShellIntegrationChangeEvent);
  integration.fire({ terminal } as vscode.TerminalShellIntegrationChangeEvent);
  await tick(40);
  assert.deepEqual(sent, [['a && b', false]]);
  end.fire({ terminal, exitCode: 1 } as vscode.TerminalShellExecutionEndEvent);
  end.fire({ terminal: {}, exitCode: 0 } as vscode.TerminalShellExecutionEndEvent);
  assert.equal(done, 0);
  end.fire({ terminal, exitCode: 0 } as vscode.TerminalShellExecutionEndEvent);
  assert.equal(done, 1);
  close.fire(terminal);
  assert.equal(integration.count + end.count + close.count, 0);
});

test('a shell without integration gets them all the same, and Windows PowerShell in its own way', async () => {
  const { sent, window } = terminals();
  prepareInstallation(window, ['a', 'b'], 'C:\\powershell.exe', () => undefined, 5);
  await tick(30);
  assert.deepEqual(sent, [['a; b', false]]);
});
