// A folder that nobody trusts yet: its settings point at a program of its own, which must never run; Detour still works.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { Desk } from './desk.mjs';
import { until } from './harness.mjs';
import { SUPPORT, VSIX, connections, serverProcesses } from './stage.mjs';

const desk = new Desk('restricted', (d) => {
  fs.writeFileSync(d.file('python'), `#!/bin/sh\necho "$@" >> '${d.file('sprung')}'\necho 'No module named detour_lsp' >&2\nexit 1\n`, { mode: 0o755 });
  d.write('.vscode/settings.json', JSON.stringify({
    'detour.interpreter': [d.file('python')],
    'detour.importStrategy': 'fromEnvironment',
    'detour.knowledge': [d.file('records')],
  }));
  return { vsix: [VSIX, SUPPORT], trust: false, settings: { 'security.workspace.trust.startupPrompt': 'never' } };
});
const { test, shot } = desk;

test('in an untrusted folder the server of the extension runs, and nothing of the folder', async () => {
  assert.match(desk.log(), /bundled\/detour\/detour server --stdio \(the workspace is not trusted\)/);
  await desk.wb.openFile('limit.py');
  await desk.squiggles('warning').first().waitFor();
  assert.equal(fs.existsSync(desk.file('sprung')), false);
  await shot('restricted');
});

test('the server has no connection to anywhere', { skip: process.platform !== 'linux' }, () => {
  const [pid, ...more] = serverProcesses(desk.server.extensions);
  assert.ok(pid !== undefined && more.length === 0);
  assert.deepEqual(connections(pid), []);
});

test('when the folder is trusted, its interpreter is asked, found wanting in words, and the bundled server goes on', async () => {
  const before = desk.readyTimes();
  await desk.wb.command('Workspaces: Manage Workspace Trust');
  await desk.page.locator('.workspace-trust-editor .monaco-button', { hasText: /^Trust$/ }).first().click();
  await until('the interpreter was asked', () => fs.existsSync(desk.file('sprung')), { timeout: 30000 });
  await desk.toast(`detour.interpreter (${desk.file('python')}) has no usable detour-lsp: No module named detour_lsp`).waitFor();
  await shot('trusted');
  // The same server as before: nothing was restarted.
  assert.equal(desk.readyTimes(), before);
  assert.equal(serverProcesses(desk.server.extensions).length, 1);
});
