// Which server runs, with the package that brings none: nothing at first, then the one that the user lets it install, that of
// the selected environment, that of a setting. And a workspace that is on no disk.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { Desk } from './desk.mjs';
import { openWorkbench, stack, until } from './harness.mjs';
import { PYTHON, PYTHON_EXTENSION, PYTHON_WITH_DETOUR, SUPPORT, UNIVERSAL } from './stage.mjs';

const desk = new Desk('servers', { vsix: [UNIVERSAL, SUPPORT, PYTHON_EXTENSION], ready: false, env: { PIP_CACHE_DIR: path.join(stack, 'pip-cache') } });
const { test, shot } = desk;
const last = () => [...desk.log().matchAll(/server: (.*)$/gm)].at(-1)?.[1] ?? '';
const settings = (values) => desk.write('.vscode/settings.json', JSON.stringify(values));

test('a package without a server says so, and says what to do', async () => {
  await desk.toast('brings no server, and no environment with detour-lsp is selected').waitFor({ timeout: 90000 });
  assert.match(desk.log(), /the server did not start/);
  assert.equal(await desk.page.locator('.notification-toast').count(), 1, 'it is said once');
  await shot('no-server');
});

test('it types the commands that install one, and runs nothing before the user presses Enter', async () => {
  await desk.page.locator('.notification-toast .monaco-button', { hasText: 'Install the Server' }).first().click();
  await until('the commands', async () => /-m venv .*&&.*pip install .*detour_lsp/s.test((await desk.wb.terminalText()).replaceAll('\n', '')), { timeout: 30000 });
  await shot('install-commands');
  const storage = path.join(desk.server.userData, 'User', 'globalStorage', 'detour.detour');
  assert.deepEqual(fs.existsSync(storage) ? fs.readdirSync(storage) : [], []);
  await desk.wb.focusTerminal();
  await desk.page.keyboard.press('Enter');
  await until('the server is ready', () => desk.readyTimes() > 0, { timeout: 180000 });
  assert.match(last(), /globalStorage\/detour\.detour\/detour_lsp-[\d.]+\/bin\/detour server --stdio/);
  await desk.wb.openFile('limit.py');
  await desk.squiggles('warning').first().waitFor();
  await shot('installed');
});

test('the environment that the Python extension selects goes first when it has detour-lsp', async () => {
  assert.ok(fs.existsSync(PYTHON_WITH_DETOUR));
  fs.writeFileSync(desk.selected, PYTHON_WITH_DETOUR);
  await until('the server of the environment', () => last() === `${PYTHON_WITH_DETOUR} -m detour_lsp server --stdio (the selected environment has detour-lsp)`, { timeout: 60000 });
  await until('it is ready', () => desk.readyTimes() > 1, { timeout: 30000 });
  await desk.squiggles('warning').first().waitFor();
});

test('detour.importStrategy: useBundled leaves the environment alone; detour.interpreter goes before everything', async () => {
  settings({ 'detour.importStrategy': 'useBundled' });
  await until('the server of the extension', () => last().endsWith('(detour.importStrategy is useBundled)'), { timeout: 60000 });
  settings({ 'detour.importStrategy': 'useBundled', 'detour.interpreter': [PYTHON_WITH_DETOUR, '-X', 'utf8'] });
  await until('the server of the setting', () => last() === `${PYTHON_WITH_DETOUR} -X utf8 -m detour_lsp server --stdio (detour.interpreter names it)`, { timeout: 60000 });
  settings({ 'detour.interpreter': [PYTHON] });
  await desk.toast(`detour.interpreter (${PYTHON}) has no usable detour-lsp: detour-lsp is not installed there`).waitFor({ timeout: 60000 });
  await until('the server of the extension again', () => last().endsWith('(detour.interpreter could not be used)'), { timeout: 60000 });
  await shot('interpreter-without-detour');
});

test('a virtual workspace: open files are checked and repaired there; what needs a disk says so', async () => {
  await desk.wb.close();
  desk.wb = await openWorkbench(desk.server, 'memfs:/');
  await desk.page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'limit.py' }).first().dblclick();
  await desk.page.locator('.tabs-container .tab.active', { hasText: 'limit.py' }).waitFor();
  await desk.squiggles('warning').first().waitFor({ timeout: 60000 });
  await desk.wb.command('Detour: Scan Workspace');
  await desk.toast('No folder on disk is open').waitFor();
  await shot('virtual');
  await desk.wb.clearNotifications();
  await desk.wb.focusEditor();
  await desk.wb.goto(4, 10);
  await (await desk.quickFix(/^Detour: (?!ignore)/)).click();
  await desk.squiggles('warning').first().waitFor({ state: 'detached' });
  assert.ok(!(await desk.wb.editorText()).includes('recompile_limit = 0'));
  await desk.page.keyboard.press('Control+S');
  await desk.page.locator('.tabs-container .tab.dirty').first().waitFor({ state: 'detached' });
});
