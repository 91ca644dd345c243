import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runWith } from '../../src/commands/run';
import { describe } from '../../src/commands/debugInfo';
import { readSettings } from '../../src/settings';
import { quoted } from '../../src/shell';
import type { Server } from '../../src/protocol';
import { cardPath, cardTarget } from '../../src/views/card';
import { HintSwitch, hintsFor } from '../../src/views/hints';
import { firstLine, foldRanks, groupIncidents, incidentDescription, incidentLabel } from '../../src/views/incidentList';
import { IncidentStore } from '../../src/views/incidentStore';
import { TerminalLinks, utf16 } from '../../src/views/links';
import { untranslated as t } from '../../src/views/translate';
import { UnseenRuns } from '../../src/views/unseen';
import type { Hints } from '../../src/settings';
import { incident, tick } from './fakes';

test('ranks are folded into spans', () => {
  assert.equal(foldRanks([]), '');
  assert.equal(foldRanks([5]), '5');
  assert.equal(foldRanks([3, 1, 2, 0, 7, 2]), '0–3, 7');
  assert.equal(foldRanks([0, 1]), '0, 1');
  assert.equal(foldRanks(Array.from({ length: 64 }, (_, i) => i)), '0–63');
});

test('incidents are grouped by record, errors first, then the most frequent', () => {
  const groups = groupIncidents([
    incident({ record: 'a/warn', level: 'warning', count: 50 }),
    incident({ record: 'b/rare', count: 1 }),
    incident({ record: 'c/often', count: 3 }),
    incident({ record: 'c/often', count: 4, level: 'warning' }),
    incident({ record: 'd/box', level: 'symptom', count: 9 }),
    incident({ record: 'e/strange', level: 'new level', count: 99 }),
  ]);
  assert.deepEqual(groups.map((g) => [g.record, g.level, g.count, g.incidents.length]), [
    ['c/often', 'error', 7, 2], ['b/rare', 'error', 1, 1], ['a/warn', 'warning', 50, 1], ['d/box', 'symptom', 9, 1], ['e/strange', 'new level', 99, 1],
  ]);
});

test('an incident is labelled by the code line, else by the log line, else by its source', () => {
  const node = (part: Parameters<typeof incident>[0]) => ({ kind: 'incident', incident: incident(part) }) as const;
  const inCode = node({ frame: { uri: 'file:///w/my%20net.py', line: 12, function: 'forward' }, ranks: [0, 1, 2], count: 9 });
  assert.equal(incidentLabel(inCode, t), 'my net.py:12');
  assert.equal(incidentDescription(inCode, t), 'ranks 0–2 · 9 times · terminal: python train.py');
  assert.equal(incidentDescription(node({ ranks: [4, 5], count: 2 }), t), 'ranks 4, 5 · terminal: python train.py');
  const inCell = node({ frame: { uri: 'vscode-notebook-cell:/w/my%20notes.ipynb#W1sdnNjb2', line: 5, function: '' }, source: { kind: 'notebook', name: 'my notes.ipynb' } });
  assert.equal(incidentLabel(inCell, t), 'my notes.ipynb, line 5 of the cell');
  const inLog = node({ file: '/w/logs/train.log', line: 7, source: { kind: 'log', name: 'train.log' } });
  assert.equal(incidentLabel(inLog, t), 'train.log:7');
  assert.equal(incidentDescription(inLog, t), 'train.log');
  assert.equal(incidentLabel(node({}), t), 'python train.py');
});

test('text for lists is one line of bounded length', () => {
  assert.equal(firstLine('\n\n  first\nsecond'), 'first');
  assert.equal(firstLine('x'.repeat(500), 10), 'xxxxxxxxx…');
  assert.equal(firstLine(''), '');
});

test('hints: one per line, the gravest named; lines that the file no longer has are left out', () => {
  const frame = (line: number) => ({ uri: 'file:///w/a.py', line, function: 'f' });
  const hints = hintsFor('file:///w/a.py', 20, [
    incident({ frame: frame(3), level: 'warning', title: 'Recompile limit reached', record: 'a/b' }),
    incident({ frame: frame(3), title: 'Shapes do not fit', record: 'c/d' }),
    incident({ frame: frame(5), level: 'warning', title: 'A warning' }),
    incident({ frame: frame(99) }),
    incident({ frame: frame(0) }),
    incident({ frame: { uri: 'file:///w/other.py', line: 1, function: '' } }),
    incident(),
  ]);
  assert.deepEqual(hints, [
    { line: 2, text: 'Shapes do not fit (+1)', level: 'error' },
    { line: 4, text: 'A warning', level: 'warning' },
  ]);
});

test('cards: every shape of argument that a command gets', () => {
  assert.deepEqual(cardTarget('pytorch/x'), { record: 'pytorch/x' });
  assert.deepEqual(cardTarget('k17'), { key: 'k17' });
  assert.deepEqual(cardTarget({ record: 'a/b', key: 'k' }), { record: 'a/b', key: 'k' });
  assert.deepEqual(cardTarget([{ record: 'a/b' }]), { record: 'a/b' });
  assert.deepEqual(cardTarget({ kind: 'incident', incident: { key: 'k', record: 'a/b', title: 'x' } }), { record: 'a/b', key: 'k' });
  for (const nothing of [undefined, null, '', 7, {}, []]) assert.equal(cardTarget(nothing), undefined);
  assert.equal(cardPath({ record: 'pytorch/../x y' }), '/pytorch .. x y.md');
});

test('offsets in code points become offsets in UTF-16', () => {
  assert.deepEqual([0, 1, 2, 3, 9].map((n) => utf16('a🔥b', n)), [0, 1, 3, 4, 4]);
});

const server = (matches: unknown): Server => ({
  request: <R>() => Promise.resolve({ matches } as R),
  notify: () => Promise.resolve(),
  execute: <R>() => Promise.resolve(undefined as R),
});

test('terminal links: where the server says, with the title as tooltip; nonsense and silence give none', async () => {
  const opened: string[] = [];
  const line = 'x RuntimeError: mat1 and mat2';
  const links = (s: Server | undefined, on = true) => new TerminalLinks(() => s, () => on, (record) => opened.push(record));
  const good = links(server([{ line: 0, start: 2, end: 29, record: 'a/b', title: 'Shapes do not fit' }]));
  const found = await good.provideTerminalLinks({ line });
  assert.deepEqual(found, [{ startIndex: 2, length: 27, tooltip: 'Shapes do not fit', record: 'a/b', text: 'RuntimeError: mat1 and mat2' }]);
  good.handleTerminalLink(found[0] ?? assert.fail());
  assert.deepEqual(opened, ['a/b']);
  const beyond = await links(server([{ line: 0, start: 20, end: 400, record: 'a/b', title: '' }, { line: 0, start: 300, end: 400, record: 'a/b', title: '' }])).provideTerminalLinks({ line });
  assert.deepEqual(beyond.map((l) => [l.startIndex, l.startIndex + l.length]), [[20, line.length]]);
  assert.deepEqual(await links(undefined).provideTerminalLinks({ line }), []);
  assert.deepEqual(await links(server([{ line: 0, start: 0, end: 1, record: 'a/b', title: '' }]), false).provideTerminalLinks({ line }), []);
  const failing: Server = { ...server([]), request: () => Promise.reject(new Error('restarting')) };
  assert.deepEqual(await links(failing).provideTerminalLinks({ line }), []);
});

test('runs that nobody saw: only failures, once per place, gone after a success', () => {
  const unseen = new UnseenRuns();
  let told = 0;
  unseen.onChange(() => { told += 1; });
  const terminal = {};
  unseen.add(terminal, 'ls', 0);
  unseen.add(terminal, 'sleep 9', 130);
  unseen.add(terminal, '( subshell )', undefined);
  assert.equal(unseen.list.length, 0);
  unseen.add(terminal, 'cat a', 1);
  unseen.add(terminal, 'cat b', 1);
  assert.deepEqual(unseen.list.map((u) => u.what), ['cat b']);
  unseen.add(terminal, 'true', 0);
  assert.equal(unseen.list.length, 0);
  assert.equal(told, 3);
});

test('the store tells its listeners, and stops when they leave', () => {
  const store = new IncidentStore();
  let told = 0;
  const listener = store.onChange(() => { told += 1; });
  const one = incident();
  store.replace([one]);
  assert.equal(store.byKey(one.key), one);
  assert.equal(store.byKey('none'), undefined);
  listener.dispose();
  store.replace([]);
  assert.equal(told, 1);
});

test('detour run is spoken by the program that serves, and quoted for the shell', () => {
  const bundled = { command: '/ext/detour', args: ['server', '--stdio'], origin: 'bundled', why: '', version: undefined } as const;
  const python = { command: '/v/python', args: ['-X', 'dev', '-m', 'detour_lsp', 'server', '--stdio'], origin: 'setting', why: '', version: '1' } as const;
  assert.deepEqual(runWith(bundled), ['/ext/detour', 'run']);
  assert.deepEqual(runWith(python), ['/v/python', '-X', 'dev', '-m', 'detour_lsp', 'run']);
  const words = ['/my ext/detour', 'run', '--', 'python3', "/w/it's $HOME.py"];
  assert.equal(quoted(words, '/bin/bash'), `'/my ext/detour' run -- python3 '/w/it'\\''s $HOME.py'`);
  assert.equal(quoted(words, 'C:\\pwsh.exe'), `& '/my ext/detour' run -- python3 '/w/it''s $HOME.py'`);
  assert.equal(quoted(['C:\\e\\detour.exe', 'a b'], 'C:\\Windows\\cmd.exe'), '"C:\\e\\detour.exe" "a b"');
});

test('settings: what is not set has its default', () => {
  const set: Record<string, unknown> = { interpreter: ['', '/v/python'], hints: 'off' };
  const workspace = { getConfiguration: () => ({ get: (key: string) => set[key] }) } as unknown as Parameters<typeof readSettings>[0];
  const settings = readSettings(workspace);
  assert.deepEqual(settings.interpreter, ['/v/python']);
  assert.equal(settings.hints, 'off');
  assert.equal(settings.importStrategy, 'fromEnvironment');
  assert.equal(settings.terminals, true);
});

test('debug information: a table that a path with a bar in it cannot break', () => {
  const workspace = { getConfiguration: () => ({ get: () => undefined }) } as unknown as Parameters<typeof readSettings>[0];
  const text = describe({
    extension: 'detour 0.1.0', editor: 'VS Code 1.139', node: 'v22', platform: 'linux x64', remote: undefined, language: 'en', trusted: false,
    folders: ['file:///a|b'], server: undefined, serverRuns: false, serverVersion: undefined, interpreter: undefined, pythonExtensions: [],
    settings: readSettings(workspace), incidents: 0, shellIntegration: [],
  });
  assert.match(text, /\| Folders \| file:\/\/\/a\\\|b \|/);
  assert.match(text, /\| Workspace trusted \| no \|/);
});

test('switching hints twice at once ends where it began, also when a setting takes its time; what was chosen comes back', async () => {
  let mode: Hints = 'gutter';
  const seen: Hints[] = [];
  const hints = new HintSwitch(() => mode, async (next) => {
    await tick(5);
    mode = next;
    seen.push(next);
  });
  await Promise.all([hints.toggle(), hints.toggle()]);
  assert.deepEqual(seen, ['off', 'gutter']);
  const broken = new HintSwitch(() => mode, () => Promise.reject(new Error('read-only settings')));
  await assert.rejects(broken.toggle(), /read-only/);
  await assert.rejects(broken.toggle(), /read-only/);
});
