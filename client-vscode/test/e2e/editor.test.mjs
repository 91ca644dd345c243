// The packaged extension in a real VS Code, as a user has it: what one sees, in the order of a working day.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { Desk } from './desk.mjs';
import { until } from './harness.mjs';
import { SUPPORT, VSIX, serverProcesses } from './stage.mjs';

const desk = new Desk('editor', { vsix: [VSIX, SUPPORT] });
const { test, shot, tree, squiggles, clipboard, read } = desk;

/** The text that an inline hint puts behind the failing line: it is a style, not text of the page. */
const hint = () => desk.page.locator('.editor-instance .view-line', { hasText: 'joined.view' }).evaluate((line) =>
  [...line.querySelectorAll('span')].map((span) => getComputedStyle(span, '::after').content).filter((text) => text !== 'none' && text !== 'normal').join(''));

test('without any Python set up, the server inside the extension runs', () => {
  const log = desk.log();
  assert.match(log, /server: .*\/bundled\/detour\/detour server --stdio \(the environment has no detour-lsp\)/);
  const [, records] = /ready, (\d+) records/.exec(log);
  assert.ok(Number(records) >= 122, `${records} records`);
});

test('a dead end is underlined before it is run, and the hover card explains it', async () => {
  await desk.wb.openFile('limit.py');
  await squiggles('warning').first().waitFor();
  await desk.pointAt(squiggles('warning').first());
  await desk.hover('recompile_limit').waitFor();
  await desk.picture('finding', 440);
  await desk.rest();
});

test('the Problems panel lists it under the name of its record', async () => {
  const { page } = desk;
  await page.keyboard.press('Control+Shift+M');
  const row = page.locator('.markers-panel .monaco-list-row', { hasText: 'compile-recompilation-limit' });
  await row.first().waitFor();
  await shot('problems');
  await page.keyboard.press('Control+Shift+M');
  await row.first().waitFor({ state: 'detached' });
});

test('the quick fix takes the dead end out, also on disk', async () => {
  await desk.wb.focusEditor();
  await desk.wb.goto(4, 10);
  const action = await desk.quickFix(/^Detour: (?!ignore)/);
  await shot('quick-fix');
  await action.click();
  await squiggles('warning').first().waitFor({ state: 'detached' });
  await desk.save('limit.py', (text) => !/recompile_limit\s*=\s*0/.test(text));
});

test('a program that fails in the terminal marks its line, the view "Detour" and the gutter', async () => {
  const { page, wb } = desk;
  await wb.openFile('train.py');
  await wb.openTerminal();
  await desk.run('python3 train.py', 'contiguous subspaces');
  await desk.squiggleOn(page.locator('.editor-instance .view-line', { hasText: 'return joined.view(2, 12)' }));
  await page.locator('.editor-instance .cgmr, .editor-instance .glyph-margin-widgets div').first().waitFor();
  await wb.command('Detour: Focus on Errors View');
  await tree('train.py:6').waitFor();
  await until('the inline hint', async () => /contiguous/.test(await hint()));
  await desk.rest();
  await desk.picture('run');
});

test('a recognised line in the terminal is a link with a tooltip, and opens the card', async () => {
  const { page, wb } = desk;
  const tip = page.locator('.workbench-hover-container, .monaco-hover').filter({ hasText: /ctrl \+ click|cmd \+ click/i, visible: true }).first();
  // A terminal looks for links when the mouse moves, and not again for a mouse that rests where it has looked already.
  await until('the tooltip of the link', async () => {
    await desk.pointAt(wb.terminalRow('RuntimeError: view size'), 180);
    if (await tip.waitFor({ timeout: 4000 }).then(() => true, () => false)) return true;
    await desk.rest();
    return false;
  }, { timeout: 40000 });
  assert.match((await tip.textContent()).replaceAll('\u00a0', ' '), /^view\(\) of a tensor that is not contiguous\. Use reshape\(\)/);
  await shot('terminal-link');
  const box = await wb.terminalRow('RuntimeError: view size').boundingBox();
  await page.keyboard.down('Control');
  await page.mouse.move(box.x + 184, box.y + box.height / 2, { steps: 4 });
  await page.mouse.click(box.x + 184, box.y + box.height / 2);
  await page.keyboard.up('Control');
  await desk.inCard(/reshape/);
  await desk.hidePanel();
  await desk.toggleSideBar();
  await desk.rest();
  await desk.picture('card', 720);
  await desk.toggleSideBar();
  await desk.closeEditors();
});

test('the repair is offered on the line, and after it the run is clean and the error gone', async () => {
  const { wb } = desk;
  await wb.openFile('train.py');
  await wb.focusEditor();
  await wb.goto(6, 22);
  const action = await desk.quickFix(/reshape/);
  await shot('quick-fix-incident');
  await action.click();
  await until('the text changed', async () => (await wb.editorText()).includes('joined.reshape(2, 12)'));
  await desk.save('train.py', (text) => text.includes('joined.reshape(2, 12)'));
  // A panel that was hidden can come back scrolled up.
  await desk.run('clear; python3 train.py', 'merged (2, 12)');
  await tree('train.py:6').waitFor({ state: 'detached' });
  assert.equal(await squiggles().count(), 0);
  await shot('clean-run');
});

test('a log: squiggle, code lens, eight ranks folded into one entry', async () => {
  const { page, wb } = desk;
  await wb.openFile('ranks.log');
  await tree('model.py:15').waitFor();
  await desk.inTree('ranks 0–7');
  await wb.focusEditor();
  await wb.goto(48);
  await squiggles().first().waitFor();
  await page.locator('.codelens-decoration a', { hasText: 'Detour' }).first().waitFor();
  await shot('log');
});

test('copies: the original message, and a prompt for an assistant', async () => {
  await desk.wb.contextMenu(tree('model.py:15'), 'Copy Original Message');
  await until('the message', async () => /CUDA out of memory/.test(await clipboard()));
  const message = await clipboard();
  assert.ok(!message.includes('\u001b') && !message.includes('[rank'), message);
  await desk.wb.contextMenu(tree('model.py:15'), 'Copy as Prompt');
  await until('the prompt', async () => (await clipboard()).length > message.length);
  const prompt = await clipboard();
  assert.match(prompt, /CUDA out of memory/);
  assert.match(prompt, /scores = q @ k\.transpose/, 'the source around the frame');
  assert.match(prompt, /Traceback \(most recent call last\)/, 'the excerpt of the log');
  assert.match(prompt, /dead end/i, 'the card');
});

test('the entry leads to the code and to the log, and can be cleared by hand', async () => {
  const { page } = desk;
  await tree('model.py:15').click();
  await page.locator('.tabs-container .tab.active', { hasText: 'model.py' }).waitFor();
  await until('line 15', async () => (await page.locator('.statusbar-item', { hasText: 'Ln ' }).first().textContent()).includes('Ln 15'));
  await desk.wb.contextMenu(tree('model.py:15'), 'Go to Log Line');
  await page.locator('.tabs-container .tab.active', { hasText: 'ranks.log' }).waitFor();
  await tree('model.py:15').hover();
  await tree('model.py:15').locator('.action-label[aria-label*="Clear Error"]').click();
  await tree('model.py:15').waitFor({ state: 'detached' });
  await desk.closeEditors();
});

test('the server is killed: it comes back, and what it knew comes back with it', async () => {
  desk.write('train.py', read('train.py').replace('reshape', 'view'));
  await desk.run('clear; python3 train.py', 'contiguous subspaces');
  await tree('train.py:6').waitFor();
  const before = desk.readyTimes();
  const [pid] = serverProcesses(desk.server.extensions);
  process.kill(pid, 'SIGKILL');
  await until('it is back', () => desk.readyTimes() > before, { timeout: 30000 });
  await tree('train.py:6').waitFor();
  assert.deepEqual(serverProcesses(desk.server.extensions).includes(pid), false);
  assert.equal(await desk.toast('Detour').count(), 0);
});

test('restart: exactly one server runs afterwards', async () => {
  const before = desk.readyTimes();
  const old = serverProcesses(desk.server.extensions);
  await desk.wb.command('Detour: Restart Server');
  await until('it is back', () => desk.readyTimes() > before, { timeout: 30000 });
  await until('the old one is gone', () => serverProcesses(desk.server.extensions).length === 1);
  assert.notDeepEqual(serverProcesses(desk.server.extensions), old);
});

test('the hints can be switched off', async () => {
  const setting = () => /"detour\.hints": "(\w+)"/.exec(fs.readFileSync(path.join(desk.server.userData, 'User', 'settings.json'), 'utf8'))?.[1];
  await desk.wb.openFile('train.py');
  await tree('train.py:6').waitFor();
  await until('the hint', async () => (await hint()) !== '');
  await desk.wb.command('Detour: Switch Hints in the Editor On or Off');
  // A line that is just being drawn has no hint either.
  await until('no hint', async () => setting() === 'off' && (await hint()) === '');
  await desk.wb.command('Detour: Switch Hints in the Editor On or Off');
  await until('the hint again', async () => setting() === 'both' && (await hint()) !== '');
});

test('language status, logs of client and server, debug information', async () => {
  const { page, wb } = desk;
  await page.locator('.statusbar-item', { hasText: '{ }' }).or(page.locator('#status\\.languageStatus')).first().hover();
  await page.locator('.hover-language-status', { hasText: /Detour: \d+ records/ }).first().waitFor();
  await shot('language-status');
  await desk.rest();
  await wb.command('Detour: Show Log of the Server');
  await page.locator('.part.panel .monaco-select-box, .part.panel select').filter({ hasText: 'Detour Server' }).first().waitFor({ state: 'attached' });
  await wb.command('Detour: Show Log of the Extension');
  await page.locator('.part.panel .view-line', { hasText: 'the server says' }).first().waitFor();
  await shot('log-of-the-extension');
  await wb.command('Detour: Show Debug Information');
  await until('the table', async () => (await wb.editorText()).includes('Selected interpreter'));
  assert.match(await wb.editorText(), /\| Server runs \| yes \|/);
  await shot('debug-information');
  await wb.clearNotifications();
  await desk.closeEditors();
  const unsaved = page.locator('.monaco-dialog-box .monaco-button', { hasText: "Don't Save" });
  await unsaved.click({ timeout: 2000 }).catch(() => {});
});

test('the example of the walkthrough has its dead end underlined', async () => {
  await desk.wb.command('Detour: Open an Example');
  await squiggles('warning').first().waitFor();
  await desk.closeEditors();
  await desk.page.locator('.monaco-dialog-box .monaco-button', { hasText: "Don't Save" }).click();
});

test('settings are described in Markdown, and the walkthrough has four steps with pictures', async () => {
  const { page, wb } = desk;
  await desk.hidePanel();
  await wb.command('Preferences: Open Settings (UI)');
  await page.locator('.settings-editor .suggest-input-container .view-lines').first().click();
  await wb.type('@ext:detour.detour ');
  await page.locator('.setting-item-markdown code', { hasText: 'recompilation-limit' }).first().waitFor();
  // Away with the suggestions of the search box.
  await page.locator('.setting-item-label', { hasText: 'Import Strategy' }).first().click();
  await page.locator('.suggest-widget.visible').waitFor({ state: 'detached' });
  await desk.toggleSideBar();
  await desk.rest();
  await desk.picture('setup', 620);
  await desk.toggleSideBar();
  await page.keyboard.press('Escape');
  await desk.closeEditors();
  await wb.command('Detour: Open Walkthrough');
  await page.locator('.getting-started-step').nth(3).waitFor();
  assert.equal(await page.locator('.getting-started-step').count(), 4);
  const picture = page.locator('.getting-started-media img').first();
  await until('the picture of the first step', () => picture.evaluate((img) => img.complete && img.naturalWidth > 500));
  await shot('walkthrough');
});

test('the servers end with the editor', { skip: process.platform !== 'linux' }, async () => {
  desk.keepLogs();
  await desk.wb.close();
  desk.wb = undefined;
  await desk.server.stop();
  assert.deepEqual(serverProcesses(desk.server.extensions), []);
});
