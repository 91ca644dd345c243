// The packaged extension in a real VS Code, as a user has it: everything on one page, in the order of a working day.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test as nodeTest } from 'node:test';
import { here, openWorkbench, out, startCodeServer, until } from './harness.mjs';
import { SUPPORT, VSIX, serverProcesses, session } from './stage.mjs';

let server;
let wb;
let page;
const { dir, ws, env } = session('editor');
const pictures = path.join(out, 'pictures');
const shot = (name) => wb.shot(path.join(out, 'shots', `${name}.png`));
const picture = (name) => wb.shot(path.join(pictures, `${name}.png`));
const read = (name) => fs.readFileSync(path.join(ws, name), 'utf8');
const clipboard = () => page.evaluate(() => { window.focus(); return navigator.clipboard.readText(); });
const copyToClipboard = (text) => page.evaluate((value) => { window.focus(); return navigator.clipboard.writeText(value); }, text);
const tree = (text) => page.locator('.pane-body .monaco-list-row', { hasText: text });
const hover = (text) => page.locator('.monaco-hover:not(.hidden)', { hasText: text }).first();
const squiggles = (kind = 'error') => page.locator(`.editor-instance .squiggly-${kind}`);

/** A test that leaves a picture when it fails, and the keyboard free for the next one. */
function test(name, options, body = options) {
  nodeTest(name, body === options ? {} : options, async () => {
    try {
      await body();
    } catch (error) {
      if (wb) await shot(`failed: ${name.replaceAll('/', ' ')}`).catch(() => {});
      for (let n = 0; wb && n < 3; n += 1) await page.keyboard.press('Escape').catch(() => {});
      throw error;
    }
  });
}

async function pointAt(locator, x = 60) {
  const box = await locator.boundingBox();
  await page.mouse.move(box.x + Math.min(x, box.width / 2), box.y + box.height / 2, { steps: 6 });
}

/** The text that an inline hint puts behind the failing line: it is a style, not text of the page. */
const hint = () => page.locator('.editor-instance .view-line', { hasText: 'joined.view' }).evaluate((line) =>
  [...line.querySelectorAll('span')].map((span) => getComputedStyle(span, '::after').content).filter((text) => text !== 'none' && text !== 'normal').join(''));

async function rest() {
  await page.mouse.move(700, 8);
  await page.keyboard.press('Escape');
}

async function quickFix(title) {
  const action = page.locator('.action-widget .monaco-list-row', { hasText: title }).first();
  // The key does nothing while the editor is still getting the focus back.
  await until(`the quick fix ${title}`, async () => {
    if (await action.isVisible()) return true;
    await page.keyboard.press('Control+.');
    return action.waitFor({ timeout: 4000 }).then(() => true, () => page.keyboard.press('Escape').then(() => false));
  }, { timeout: 30000 });
  return action;
}

async function save(name, expected) {
  await page.keyboard.press('Control+S');
  await until(`${name} saved`, () => expected(read(name)));
}

/** Types a command at the prompt and waits until it is done. */
async function run(command, shown) {
  await wb.focusTerminal();
  await wb.type(`${command}\n`);
  await until(`output of ${command}`, async () => (await wb.terminalText()).includes(shown), { timeout: 30000 });
}

before(async () => {
  server = await startCodeServer({ dir, vsix: [VSIX, SUPPORT], env });
  wb = await openWorkbench(server, ws);
  page = wb.page;
  await until('the server is ready', () => /the server says: ready, \d+ records/.test(server.channel('Detour')), { timeout: 90000 });
});

after(async () => {
  try {
    if (wb) await shot('last');
    if (wb) for (const name of ['Detour', 'Detour Server']) fs.writeFileSync(path.join(out, `${name}.log`), server.channel(name));
  } finally {
    await wb?.close();
    await server?.stop();
    fs.rmSync(path.dirname(ws), { recursive: true, force: true, maxRetries: 5 });
  }
});

test('without any Python set up, the server inside the extension runs', () => {
  const log = server.channel('Detour');
  assert.match(log, /server: .*\/bundled\/detour\/detour server --stdio \(the environment has no detour-lsp\)/);
  const [, records] = /ready, (\d+) records/.exec(log);
  assert.ok(Number(records) >= 2, `${records} records`);
});

test('a dead end is underlined before it is run, and the hover card explains it', async () => {
  await wb.openFile('limit.py');
  await squiggles('warning').first().waitFor();
  await pointAt(squiggles('warning').first());
  await hover('recompile_limit').waitFor();
  await picture('finding');
  await rest();
});

test('the Problems panel lists it under the name of its record', async () => {
  await page.keyboard.press('Control+Shift+M');
  const row = page.locator('.markers-panel .monaco-list-row', { hasText: 'compile-recompilation-limit' });
  await row.first().waitFor();
  await shot('problems');
  await page.keyboard.press('Control+Shift+M');
  await row.first().waitFor({ state: 'detached' });
});

test('the quick fix takes the dead end out, also on disk', async () => {
  await wb.focusEditor();
  await wb.goto(4, 10);
  const action = await quickFix(/^Detour: (?!ignore)/);
  await shot('quick-fix');
  await action.click();
  await squiggles('warning').first().waitFor({ state: 'detached' });
  await save('limit.py', (text) => !/recompile_limit\s*=\s*0/.test(text));
});

test('a program that fails in the terminal marks its line, the view "Detour" and the gutter', async () => {
  await wb.openFile('train.py');
  await wb.openTerminal();
  await run('python3 train.py', 'contiguous subspaces');
  await squiggles().first().waitFor();
  const line = page.locator('.editor-instance .view-line', { hasText: 'return joined.view(2, 12)' });
  const [squiggle, code] = [await squiggles().first().boundingBox(), await line.boundingBox()];
  assert.ok(Math.abs(squiggle.y + squiggle.height - (code.y + code.height)) < 8, 'the squiggle is on line 6');
  await page.locator('.editor-instance .cgmr, .editor-instance .glyph-margin-widgets div').first().waitFor();
  await wb.command('Detour: Focus on Errors View');
  await tree('train.py:6').waitFor();
  await until('the inline hint', async () => /contiguous/.test(await hint()));
  await picture('run');
});

test('a recognised line in the terminal is a link with a tooltip, and opens the card', async () => {
  await pointAt(wb.terminalRow('RuntimeError: view size'), 180);
  const tip = page.locator('.workbench-hover-container, .monaco-hover').filter({ hasText: /ctrl \+ click|cmd \+ click/i, visible: true }).first();
  await tip.waitFor();
  await shot('terminal-link');
  const box = await wb.terminalRow('RuntimeError: view size').boundingBox();
  await page.keyboard.down('Control');
  await page.mouse.move(box.x + 184, box.y + box.height / 2, { steps: 4 });
  await page.mouse.click(box.x + 184, box.y + box.height / 2);
  await page.keyboard.up('Control');
  await until('the card', async () => /reshape/.test(await wb.webviewText()));
  await picture('card');
  await wb.command('View: Close All Editors');
});

test('the repair is offered on the line, and after it the run is clean and the error gone', async () => {
  await wb.openFile('train.py');
  await wb.focusEditor();
  await wb.goto(6, 22);
  const action = await quickFix(/reshape/);
  await shot('quick-fix-incident');
  await action.click();
  await until('the text changed', async () => (await wb.editorText()).includes('joined.reshape(2, 12)'));
  await save('train.py', (text) => text.includes('joined.reshape(2, 12)'));
  await run('python3 train.py', 'merged (2, 12)');
  await tree('train.py:6').waitFor({ state: 'detached' });
  assert.equal(await squiggles().count(), 0);
  await shot('clean-run');
});

test('a log: squiggle, code lens, eight ranks folded into one entry', async () => {
  await wb.openFile('ranks.log');
  await tree('model.py:15').waitFor();
  await until('the ranks', async () => (await wb.treeRows()).some((row) => row.includes('ranks 0–7')));
  await wb.focusEditor();
  await wb.goto(48);
  await squiggles().first().waitFor();
  await page.locator('.codelens-decoration a', { hasText: 'Detour' }).first().waitFor();
  await shot('log');
});

test('copies: the original message, and a prompt for an assistant', async () => {
  await wb.contextMenu(tree('model.py:15'), 'Copy Original Message');
  await until('the message', async () => /CUDA out of memory/.test(await clipboard()));
  const message = await clipboard();
  assert.ok(!message.includes('\u001b') && !message.includes('[rank'), message);
  await wb.contextMenu(tree('model.py:15'), 'Copy as Prompt');
  await until('the prompt', async () => (await clipboard()).length > message.length);
  const prompt = await clipboard();
  assert.match(prompt, /CUDA out of memory/);
  assert.match(prompt, /scores = q @ k\.transpose/);
});

test('the entry leads to the code and to the log, and can be cleared by hand', async () => {
  await tree('model.py:15').click();
  await page.locator('.tabs-container .tab.active', { hasText: 'model.py' }).waitFor();
  await until('line 15', async () => (await page.locator('.statusbar-item', { hasText: 'Ln ' }).first().textContent()).includes('Ln 15'));
  await wb.contextMenu(tree('model.py:15'), 'Go to Log Line');
  await page.locator('.tabs-container .tab.active', { hasText: 'ranks.log' }).waitFor();
  await tree('model.py:15').hover();
  await tree('model.py:15').locator('.action-label[aria-label*="Clear Error"]').click();
  await tree('model.py:15').waitFor({ state: 'detached' });
});

test('a notebook cell that fails is marked in that cell', async () => {
  await wb.openFile('notebook.ipynb');
  const cell = page.locator('.notebookOverlay .code-cell-row').first();
  await cell.waitFor();
  await page.locator('.kernel-label', { hasText: 'Stored runs' }).first().waitFor();
  await cell.hover();
  await cell.locator('.run-button-container .action-label').first().click();
  await page.locator('.notebookOverlay .squiggly-error').first().waitFor();
  const [squiggle, line] = [await page.locator('.notebookOverlay .squiggly-error').first().boundingBox(), await cell.locator('.view-line', { hasText: 'layer(batch)' }).boundingBox()];
  assert.ok(squiggle.y >= line.y - 2 && squiggle.y < line.y + line.height + 4, 'the squiggle is on the line that raised the error');
  await until('the tree', async () => (await wb.treeRows()).some((row) => row.includes('notebook: notebook.ipynb')));
  await shot('notebook');
  await wb.command('View: Close All Editors');
});

test('debug console: a real debug adapter stops at the exception, and Detour names it', async () => {
  fs.copyFileSync(path.join(here, 'workspace', 'train.py'), path.join(ws, 'train.py'));
  await wb.command('Detour: Clear All Errors');
  await wb.openFile('train.py');
  await page.keyboard.press('F5');
  await until('the debug console', async () => (await wb.treeRows()).some((row) => row.includes('debug console')), { timeout: 40000 });
  await shot('debug');
  await page.keyboard.press('Shift+F5');
  await until('the session ended', async () => (await page.locator('.debug-toolbar:visible').count()) === 0, { timeout: 30000 });
});

test('a task is read like a terminal, and bears the name of the task', async () => {
  await wb.command('Detour: Clear All Errors');
  await wb.quickPick('Control+P', 'task train', 'train');
  await until('the task', async () => (await wb.treeRows()).some((row) => row.includes('task: ')), { timeout: 30000 });
  await shot('task');
  await wb.command('Terminal: Kill the Active Terminal Instance');
});

test('"detour run" works in a new terminal and prints the card below the failure', async () => {
  await wb.command('Detour: Clear All Errors');
  await wb.openTerminal();
  await run('detour run -- python3 train.py', 'contiguous subspaces');
  await until('the card in the terminal', async () => /last confirmed|Sources:/.test(await wb.terminalText()), { timeout: 20000 });
  await until('the tree', async () => (await wb.treeRows()).some((row) => row.includes('train.py:6')));
  await shot('detour-run');
});

test('a failed command whose output nobody saw is "unknown"; its output can be analysed by hand', async () => {
  await wb.command('Detour: Clear All Errors');
  await wb.focusTerminal();
  await wb.type('clear; false\n');
  await tree('Output not seen').waitFor();
  await shot('unknown');
  fs.writeFileSync(path.join(ws, 'old-output'), 'RuntimeError: Trying to backward through the graph a second time (or directly access saved tensors after they have already been freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). Specify retain_graph=True if you need to backward through the graph a second time or if you need to access saved tensors after calling backward.\n');
  await run('clear; cat old-output', 'retain_graph=True');
  await page.waitForTimeout(500);
  await wb.command('Detour: Analyse Terminal Selection');
  await until('the text', async () => (await wb.treeRows()).some((row) => row.includes('text: terminal selection')), { timeout: 30000 });
  await until('the card', async () => /backward/i.test(await wb.webviewText()));
  await shot('terminal-selection');
});

test('the clipboard is analysed; text without a known error says so', async () => {
  await wb.command('View: Close All Editors');
  await wb.command('Detour: Clear All Errors');
  await copyToClipboard('RuntimeError: mat1 and mat2 shapes cannot be multiplied (8x108 and 128x64)');
  await wb.command('Detour: Analyse Clipboard');
  await until('the text', async () => (await wb.treeRows()).some((row) => row.includes('text: clipboard')));
  await until('the card', async () => /shape/i.test(await wb.webviewText()));
  await shot('clipboard');
  await wb.command('View: Close All Editors');
  await copyToClipboard('all is well');
  await wb.command('Detour: Analyse Clipboard');
  await page.locator('.notification-toast', { hasText: 'knows no error' }).waitFor();
  await wb.clearNotifications();
});

test('a failed test: its message goes to Detour from the button beside it', async () => {
  await wb.command('Detour: Clear All Errors');
  await wb.openFile('train.py');
  await wb.command('Test: Run All Tests');
  await page.locator('.test-error-content-widget, .test-message-inline-content').first().click();
  const analyse = page.locator('.floating-click-widget', { hasText: 'Analyse Test Failure' }).first();
  await analyse.waitFor({ state: 'attached' });
  await shot('test-peek');
  // The button slides in at the edge of the message while the mouse is there.
  await analyse.dispatchEvent('click');
  await until('the text', async () => (await wb.treeRows()).some((row) => row.includes('train.py:6')), { timeout: 30000 });
  await shot('test-failure');
  await wb.command('View: Close All Editors');
});

test('a log of 60 MB, which VS Code hands to nobody, is read from disk', async () => {
  await wb.command('Detour: Clear All Errors');
  const traceback = 'Traceback (most recent call last):\n  File "/srv/job/train.py", line 6, in merge_heads\n    return joined.view(2, 12)\ntorch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.11 GiB of which 1.32 GiB is free.\n';
  const filler = Array.from({ length: 2000 }, (_, i) => `2026-11-30 12:00:00,000 INFO worker[${i}] item ${i} in ${i % 97} ms\n`).join('');
  const fd = fs.openSync(path.join(ws, 'large.log'), 'w');
  for (let bytes = 0; bytes < 60 * 1024 * 1024;) bytes += fs.writeSync(fd, filler);
  fs.writeSync(fd, traceback);
  fs.closeSync(fd);
  await wb.openFile('large.log');
  await until('the incident', async () => (await wb.treeRows()).some((row) => /large\.log|train\.py:6/.test(row)), { timeout: 60000 });
  await shot('large-log');
  await wb.command('View: Close All Editors');
  fs.rmSync(path.join(ws, 'large.log'));
  await wb.command('Detour: Clear All Errors');
});

test('the server is killed: it comes back, and what it knew comes back with it', async () => {
  await run('clear; python3 train.py', 'contiguous subspaces');
  await tree('train.py:6').waitFor();
  const ready = () => (server.channel('Detour').match(/the server says: ready/g) ?? []).length;
  const before = ready();
  const [pid] = serverProcesses(server.extensions);
  process.kill(pid, 'SIGKILL');
  await until('it is back', () => ready() > before, { timeout: 30000 });
  await tree('train.py:6').waitFor();
  assert.deepEqual(serverProcesses(server.extensions).includes(pid), false);
  assert.equal(await page.locator('.notification-toast', { hasText: 'Detour' }).count(), 0);
});

test('restart: exactly one server runs afterwards', async () => {
  const ready = () => (server.channel('Detour').match(/the server says: ready/g) ?? []).length;
  const before = ready();
  const old = serverProcesses(server.extensions);
  await wb.command('Detour: Restart Server');
  await until('it is back', () => ready() > before, { timeout: 30000 });
  await until('the old one is gone', () => serverProcesses(server.extensions).length === 1);
  assert.notDeepEqual(serverProcesses(server.extensions), old);
});

test('the hints can be switched off', async () => {
  await wb.openFile('train.py');
  await tree('train.py:6').waitFor();
  await until('the hint', async () => (await hint()) !== '');
  await wb.command('Detour: Switch Hints in the Editor On or Off');
  await until('no hint', async () => (await hint()) === '');
  await wb.command('Detour: Switch Hints in the Editor On or Off');
  await until('the hint again', async () => (await hint()) !== '');
});

test('language status, logs of client and server, debug information', async () => {
  await page.locator('.statusbar-item', { hasText: '{ }' }).or(page.locator('#status\\.languageStatus')).first().hover();
  await page.locator('.hover-language-status', { hasText: 'Detour' }).first().waitFor();
  await shot('language-status');
  await rest();
  await wb.command('Detour: Show Log of the Server');
  await wb.command('Detour: Show Log of the Extension');
  await page.locator('.part.panel .view-line', { hasText: 'the server says' }).first().waitFor();
  await shot('log-of-the-extension');
  await wb.command('Detour: Show Debug Information');
  await until('the table', async () => (await wb.editorText()).includes('Selected interpreter'));
  assert.match(await wb.editorText(), /\| Server runs \| yes \|/);
  await shot('debug-information');
  await wb.clearNotifications();
  await wb.command('View: Close All Editors');
  const unsaved = page.locator('.monaco-dialog-box .monaco-button', { hasText: "Don't Save" });
  await unsaved.click({ timeout: 2000 }).catch(() => {});
});

test('settings are described in Markdown, and the walkthrough has four steps with pictures', async () => {
  await wb.command('View: Hide Panel').catch(() => {});
  await wb.command('Preferences: Open Settings (UI)');
  await page.locator('.settings-editor .suggest-input-container .view-lines').first().click();
  await wb.type('@ext:detour.detour ');
  await page.locator('.setting-item-markdown code', { hasText: 'recompilation-limit' }).first().waitFor();
  // Away with the suggestions of the search box.
  await page.locator('.setting-item-label', { hasText: 'Import Strategy' }).first().click();
  await page.locator('.suggest-widget.visible').waitFor({ state: 'detached' });
  await picture('setup');
  await page.keyboard.press('Escape');
  await wb.command('View: Close All Editors');
  await wb.command('Detour: Open Walkthrough');
  await page.locator('.getting-started-step').nth(3).waitFor();
  assert.equal(await page.locator('.getting-started-step').count(), 4);
  await shot('walkthrough');
});

test('the servers end with the editor', { skip: process.platform !== 'linux' }, async () => {
  for (const name of ['Detour', 'Detour Server']) fs.writeFileSync(path.join(out, `${name}.log`), server.channel(name));
  await wb.close();
  wb = undefined;
  await server.stop();
  assert.deepEqual(serverProcesses(server.extensions), []);
});
