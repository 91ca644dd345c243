// Everything that Detour reads, beside the terminal: notebooks, debugger, tasks, tests, `detour run`, what a person hands it, logs.
import fs from 'node:fs';
import path from 'node:path';
import { Desk } from './desk.mjs';
import { until } from './harness.mjs';
import { SUPPORT, VSIX } from './stage.mjs';

const desk = new Desk('sources', { vsix: [VSIX, SUPPORT] });
const { test, shot, tree, inTree, inCard, clear } = desk;
const BACKWARD = 'RuntimeError: Trying to backward through the graph a second time (or directly access saved tensors after they have already been freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). Specify retain_graph=True if you need to backward through the graph a second time or if you need to access saved tensors after calling backward.';
const OOM = 'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.11 GiB of which 1.32 GiB is free.';

test('a notebook cell that only prints what it caught is marked in that cell, and so is one that fails', async () => {
  const { page, wb } = desk;
  await wb.command('Detour: Focus on Errors View');
  await wb.openFile('notebook.ipynb');
  await page.locator('.kernel-label', { hasText: 'Stored runs' }).first().waitFor();
  const cells = page.locator('.notebookOverlay .code-cell-row');
  for (const [index, line, label] of [[0, 'torch.randn(8, 108) @', 'line 6 of the cell'], [1, 'layer(batch)', 'line 5 of the cell']]) {
    const cell = cells.nth(index);
    await cell.hover();
    await cell.locator('.run-button-container .action-label').first().click();
    await desk.squiggleOn(cell.locator('.view-line', { hasText: line }), cell.locator('.squiggly-error').first());
    await inTree(new RegExp(`notebook\\.ipynb, ${label}.*notebook: notebook\\.ipynb`));
  }
  await shot('notebook');
  await desk.closeEditors();
});

test('debug console: a real debug adapter stops at the exception, and Detour names it', async () => {
  const { page, wb } = desk;
  await clear();
  await wb.openFile('train.py');
  await page.keyboard.press('F5');
  await inTree('debug console', 40000);
  await shot('debug');
  await page.keyboard.press('Shift+F5');
  await until('the session ended', async () => (await page.locator('.debug-toolbar:visible').count()) === 0, { timeout: 30000 });
});

test('a task is read like a terminal, and bears the name of the task', async () => {
  await clear();
  await desk.wb.command('Detour: Focus on Errors View');
  await desk.wb.quickPick('Control+P', 'task train', 'train');
  await inTree('task: ', 30000);
  await shot('task');
  await desk.wb.command('Terminal: Kill the Active Terminal Instance');
});

test('"detour run" works in a new terminal and prints the card below the failure', async () => {
  await clear();
  await desk.wb.openTerminal();
  await desk.run('detour run -- python3 train.py', 'contiguous subspaces');
  await until('the card in the terminal', async () => /last confirmed|Sources:/.test(await desk.wb.terminalText()), { timeout: 20000 });
  await inTree('train.py:6');
  await shot('detour-run');
});

test('the command runs the current file with "detour run", with the selected Python, in a terminal of its own', async () => {
  await clear();
  await desk.wb.openFile('train.py');
  await desk.wb.command("Detour: Run Current File with 'detour run'");
  await until('the card in the terminal', async () => /last confirmed|Sources:/.test(await desk.wb.terminalText()), { timeout: 30000 });
  await desk.page.locator('.part.panel .single-terminal-tab, .part.panel .terminal-tabs-entry', { hasText: 'detour run' }).first().waitFor();
  await inTree('train.py:6');
  await shot('run-file');
  await desk.wb.command('Terminal: Kill the Active Terminal Instance');
  await desk.closeEditors();
});

test('a failed command whose output nobody saw is "unknown"; its output can be analysed by hand', async () => {
  await clear();
  await desk.wb.focusTerminal();
  await desk.wb.type('clear; false\n');
  await tree('Output not seen').waitFor();
  await shot('unknown');
  desk.write('old-output', `${BACKWARD}\n`);
  await desk.run('clear; cat old-output', 'retain_graph=True');
  await desk.page.waitForTimeout(500);
  await desk.wb.command('Detour: Analyse Terminal Selection');
  await inTree('text: terminal selection', 30000);
  await inCard(/backward/i);
  await shot('terminal-selection');
  await desk.closeEditors();
});

test('the clipboard is analysed; text without a known error says so', async () => {
  await clear();
  await desk.copy('RuntimeError: mat1 and mat2 shapes cannot be multiplied (8x108 and 128x64)');
  await desk.wb.command('Detour: Analyse Clipboard');
  await inTree('text: clipboard');
  await inCard(/shape/i);
  await shot('clipboard');
  await desk.closeEditors();
  await desk.copy('all is well');
  await desk.wb.command('Detour: Analyse Clipboard');
  await desk.toast('knows no error').waitFor();
  await desk.wb.clearNotifications();
});

test('a selection in an editor is analysed, in any file', async () => {
  await clear();
  desk.write('chat.txt', `somebody wrote:\n${BACKWARD}\nwhat now?\n`);
  await desk.wb.openFile('chat.txt');
  await desk.wb.focusEditor();
  await desk.page.keyboard.press('Control+A');
  await desk.wb.command('Detour: Analyse Selection');
  await inTree('text: selection');
  await inCard(/backward/i);
  await desk.closeEditors();
});

test('a failed test: its message goes to Detour from the button beside it', async () => {
  const { page, wb } = desk;
  await clear();
  await wb.openFile('train.py');
  await wb.command('Test: Run All Tests');
  await page.locator('.test-error-content-widget, .test-message-inline-content').first().click();
  const analyse = page.locator('.floating-click-widget', { hasText: 'Analyse Test Failure' }).first();
  await analyse.waitFor({ state: 'attached' });
  await shot('test-peek');
  // The button slides in at the edge of the message while the mouse is there.
  await analyse.dispatchEvent('click');
  await inTree('train.py:6', 30000);
  await shot('test-failure');
  await desk.closeEditors();
});

test('a log of 60 MB, which VS Code hands to nobody, is read from disk', async () => {
  await clear();
  const traceback = `Traceback (most recent call last):\n  File "/srv/job/train.py", line 6, in merge_heads\n    return joined.view(2, 12)\n${OOM}\n`;
  const filler = Array.from({ length: 2000 }, (_, i) => `2026-11-30 12:00:00,000 INFO worker[${i}] item ${i} in ${i % 97} ms\n`).join('');
  const fd = fs.openSync(desk.file('large.log'), 'w');
  for (let bytes = 0; bytes < 60 * 1024 * 1024;) bytes += fs.writeSync(fd, filler);
  fs.writeSync(fd, traceback);
  fs.closeSync(fd);
  await desk.wb.openFile('large.log');
  await inTree(/large\.log|train\.py:6/, 60000);
  await shot('large-log');
  await desk.closeEditors();
  fs.rmSync(desk.file('large.log'));
});

test('a log from anywhere on disk is scanned, and followed while it grows', async () => {
  const { wb } = desk;
  await clear();
  const elsewhere = path.join(path.dirname(desk.ws), 'slurm-17.txt');
  fs.writeFileSync(elsewhere, 'epoch 1\n');
  await wb.command('Detour: Scan Log File…', { picker: true });
  await wb.quickInput.waitFor({ state: 'visible' });
  // The dialog takes what is typed only once it has listed its first folder.
  await until('the dialog took the path', async () => {
    await wb.quickInput.fill(elsewhere);
    await desk.page.locator('.quick-input-list .monaco-list-row', { hasText: 'slurm-17.txt' }).first().waitFor({ timeout: 2000 });
    await desk.page.locator('.quick-input-widget .monaco-button', { hasText: 'Scan' }).first().click({ timeout: 2000 });
    await wb.quickInput.waitFor({ state: 'hidden', timeout: 2000 });
    return true;
  });
  await until('it is followed', async () => (await desk.page.locator('.part.statusbar', { hasText: 'Detour follows' }).count()) > 0);
  fs.appendFileSync(elsewhere, `Traceback (most recent call last):\n  File "/srv/job/train.py", line 6, in merge_heads\n    return joined.view(2, 12)\n${OOM}\n`);
  await inTree(/slurm-17\.txt/, 30000);
  await shot('scan-log-file');
});

test('the workspace is scanned: dead ends in files that are not open', async () => {
  await clear();
  await desk.wb.command('Detour: Focus on Errors View');
  await desk.wb.command('Detour: Scan Workspace');
  await inTree('ranks 0–7');
  await desk.page.keyboard.press('Control+Shift+M');
  // The list has many rows, and only those in sight exist; its filter takes no text while the panel is still being laid out.
  const row = desk.page.locator('.markers-panel .monaco-list-row', { hasText: 'compile-recompilation-limit' }).first();
  await until('the dead end in the Problems panel', async () => {
    await desk.page.locator('.part.panel .viewpane-filter-container input:visible').first().fill('compile-recompilation-limit');
    return row.waitFor({ timeout: 2000 }).then(() => true, () => false);
  });
  await shot('scan-workspace');
});
