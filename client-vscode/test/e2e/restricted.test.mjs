// A folder that nobody trusts yet: its settings point at a program of its own, which must never run; Detour still works.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { openWorkbench, out, startCodeServer, until } from './harness.mjs';
import { SUPPORT, VSIX, session } from './stage.mjs';

let server;
let wb;
let page;
const { dir, ws, env } = session('restricted');
const shot = (name) => wb.shot(path.join(out, 'shots', `${name}.png`));
const trap = path.join(ws, 'python');
const sprung = path.join(ws, 'sprung');

before(async () => {
  fs.writeFileSync(trap, `#!/bin/sh\necho "$@" >> '${sprung}'\nexit 1\n`, { mode: 0o755 });
  fs.writeFileSync(path.join(ws, '.vscode', 'settings.json'), JSON.stringify({
    'detour.interpreter': [trap],
    'detour.importStrategy': 'fromEnvironment',
    'detour.knowledge': [path.join(ws, 'records')],
  }));
  server = await startCodeServer({ dir, vsix: [VSIX, SUPPORT], env, trust: false, settings: { 'security.workspace.trust.startupPrompt': 'never' } });
  wb = await openWorkbench(server, ws);
  page = wb.page;
  await until('the server is ready', () => /the server says: ready/.test(server.channel('Detour')), { timeout: 90000 });
});

after(async () => {
  try {
    if (wb) await shot('restricted-last');
  } finally {
    await wb?.close();
    await server?.stop();
    fs.rmSync(path.dirname(ws), { recursive: true, force: true, maxRetries: 5 });
  }
});

test('in an untrusted folder the server of the extension runs, and nothing of the folder', async () => {
  assert.match(server.channel('Detour'), /bundled\/detour\/detour server --stdio \(the workspace is not trusted\)/);
  await wb.openFile('limit.py');
  await page.locator('.editor-instance .squiggly-warning').first().waitFor();
  assert.equal(fs.existsSync(sprung), false);
  await shot('restricted');
});

test('when the folder is trusted, its interpreter is asked, found wanting, and the bundled server goes on', async () => {
  await wb.command('Workspaces: Manage Workspace Trust');
  await page.locator('.workspace-trust-editor .monaco-button', { hasText: /^Trust$/ }).first().click();
  await until('the interpreter was asked', () => fs.existsSync(sprung), { timeout: 30000 });
  await page.locator('.notification-toast', { hasText: 'no usable detour-lsp' }).first().waitFor();
  await shot('trusted');
});
