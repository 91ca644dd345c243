import assert from 'node:assert/strict';
import { test } from 'node:test';
import type * as vscode from 'vscode';
import { DebugConsoleTracker, DebugConsoleSource } from '../../src/sources/debugConsole';
import { LargeLogSource, isLog } from '../../src/sources/largeLogs';
import { NotebookSource, errorText, readOutputs } from '../../src/sources/notebooks';
import { TaskSource } from '../../src/sources/tasks';
import { TextSource, testMessageText } from '../../src/sources/text';
import { IncidentStore } from '../../src/views/incidentStore';
import { Emitter, incident, recordingOutbox, tick, until, uri } from './fakes';

const session = { name: 'Train', configuration: { program: '/w/train.py', cwd: '/w' }, workspaceFolder: undefined } as unknown as vscode.DebugSession;
const output = (category: string | undefined, text: string) => ({ type: 'event', event: 'output', body: { category, output: text } });

test('debug console: printed output is forwarded, telemetry is not, and the exit code ends it', () => {
  const { outbox, sent } = recordingOutbox();
  const tracker = new DebugConsoleTracker(session, outbox);
  tracker.onDidSendMessage(output('telemetry', 'ptvsd'));
  tracker.onDidSendMessage(output('stderr', 'RuntimeError: boom\n'));
  tracker.onDidSendMessage(output(undefined, 'also printed\n'));
  tracker.onDidSendMessage({ type: 'event', event: 'exited', body: { exitCode: 1 } });
  tracker.onWillStopSession();
  tracker.onExit();
  assert.deepEqual(sent.map(({ method }) => method), ['detour/terminalData', 'detour/terminalData', 'detour/terminalEnd']);
  assert.deepEqual({ ...sent[0]?.params, executionId: '' }, { terminalId: 'debug:Train', executionId: '', commandLine: '/w/train.py', cwd: '/w', data: 'RuntimeError: boom\n' });
  assert.deepEqual({ ...sent[2]?.params, executionId: '' }, { terminalId: 'debug:Train', executionId: '', exitCode: 1, noData: false });
});

test('debug console: an exception at which the debugger stops becomes a traceback', () => {
  const { outbox, sent } = recordingOutbox();
  const tracker = new DebugConsoleTracker(session, outbox);
  tracker.onDidSendMessage({
    type: 'response', command: 'exceptionInfo', success: true,
    body: { exceptionId: 'RuntimeError', description: 'boom', details: { stackTrace: '  File "/w/train.py", line 3, in <module>\n    boom()\n' } },
  });
  assert.equal((sent[0]?.params as { data: string }).data, 'Traceback (most recent call last):\n  File "/w/train.py", line 3, in <module>\n    boom()\nRuntimeError: boom\n');
});

test('debug console: messages of a broken adapter are ignored', () => {
  const { outbox, sent } = recordingOutbox();
  const tracker = new DebugConsoleTracker(session, outbox);
  for (const message of [undefined, null, 'text', 7, {}, { type: 'event', event: 'output' }, output('stdout', 7 as unknown as string), { type: 'event', event: 'output', body: null }]) tracker.onDidSendMessage(message);
  tracker.onExit();
  assert.deepEqual(sent, []);
});

test('debug console: no tracker when switched off', () => {
  const { outbox } = recordingOutbox();
  assert.equal(new DebugConsoleSource(outbox, () => false).createDebugAdapterTracker(session), undefined);
});

const item = (mime: string, text: string) => ({ mime, data: new TextEncoder().encode(text) });
const cellOutput = (...items: { mime: string; data: Uint8Array }[]) => ({ items }) as vscode.NotebookCellOutput;

test('notebook: of each output the most telling text is taken; pictures are not', () => {
  assert.deepEqual(readOutputs([
    cellOutput(item('application/vnd.code.notebook.stderr', 'W1130 recompile')),
    cellOutput(item('image/png', 'x')),
    cellOutput(item('text/plain', 'trace'), item('application/vnd.code.notebook.error', '{"name":"RuntimeError","message":"boom","stack":"Cell In[1], line 5"}')),
    cellOutput(item('text/html', '<b>'), item('text/plain', 'plain')),
  ]), [
    { mime: 'application/vnd.code.notebook.stderr', text: 'W1130 recompile' },
    { mime: 'application/vnd.code.notebook.error', text: 'Cell In[1], line 5\nRuntimeError: boom' },
    { mime: 'text/plain', text: 'plain' },
  ]);
});

test('notebook: errors of every shape', () => {
  assert.equal(errorText('{"name":"E","message":"m","stack":"Traceback\\nE: m"}'), 'Traceback\nE: m');
  assert.equal(errorText('{"name":"E","message":"m"}'), 'E: m');
  assert.equal(errorText('{"stack":7,"name":null}'), '');
  assert.equal(errorText('{"message":"m","stack":"\\u001b[31mE\\u001b[39m: m"}'), 'E: m');
  assert.equal(errorText('null'), '');
  assert.equal(errorText('not json'), 'not json');
});

test('notebook: outputs are sent when they settle, a new run of the cell is a new execution, a deleted cell takes its outputs back', async () => {
  const { outbox, sent } = recordingOutbox();
  const changes = new Emitter<vscode.NotebookDocumentChangeEvent>();
  const opens = new Emitter<vscode.NotebookDocument>();
  const cell = { document: { uri: uri('vscode-notebook-cell:/w/n.ipynb#c1') }, notebook: { uri: uri('file:///w/n.ipynb') }, outputs: [] as unknown[] };
  const source = new NotebookSource({ onDidChangeNotebookDocument: changes.event, onDidOpenNotebookDocument: opens.event, notebookDocuments: [] }, outbox, () => true);
  const change = (outputs: unknown[]): void => {
    cell.outputs = outputs;
    changes.fire({ cellChanges: [{ cell, outputs }], contentChanges: [] } as unknown as vscode.NotebookDocumentChangeEvent);
  };
  change([]);
  change([cellOutput(item('text/plain', 'a'))]);
  change([cellOutput(item('text/plain', 'a')), cellOutput(item('application/vnd.code.notebook.error', '{}'))]);
  await until('the outputs', () => sent.length === 1);
  const first = sent[0]?.params as { executionId: string; outputs: readonly unknown[] };
  assert.equal(first.outputs.length, 2);
  change([]);
  await until('the outputs are taken back', () => sent.length === 2);
  change([cellOutput(item('text/plain', 'fine'))]);
  await until('the second run', () => sent.length === 3);
  assert.notEqual((sent[2]?.params as { executionId: string }).executionId, first.executionId);
  changes.fire({ cellChanges: [], contentChanges: [{ removedCells: [cell], addedCells: [] }] } as unknown as vscode.NotebookDocumentChangeEvent);
  assert.deepEqual((sent[3]?.params as { outputs: readonly unknown[] }).outputs, []);
  source.dispose();
});

test('tasks: a terminal is known by its process, and a failed task that nobody could read is reported', async () => {
  const started = new Emitter<vscode.TaskProcessStartEvent>();
  const ended = new Emitter<vscode.TaskProcessEndEvent>();
  const failed: string[] = [];
  const executions: vscode.TaskExecution[] = [];
  const source = new TaskSource({ onDidStartTaskProcess: started.event, onDidEndTaskProcess: ended.event, taskExecutions: executions }, (name) => failed.push(name));
  const run = (name: string, processId: number): vscode.TaskExecution => {
    const execution = { task: { name } } as vscode.TaskExecution;
    started.fire({ execution, processId });
    return execution;
  };
  const read = run('read', 10);
  const unread = run('unread', 11);
  const fine = run('fine', 12);
  assert.equal(await source.nameOf({ processId: Promise.resolve(10) } as unknown as vscode.Terminal), 'read');
  assert.equal(await source.nameOf({ processId: Promise.resolve(99) } as unknown as vscode.Terminal), undefined);
  ended.fire({ execution: read, exitCode: 1 });
  ended.fire({ execution: unread, exitCode: 1 });
  ended.fire({ execution: fine, exitCode: 0 });
  assert.deepEqual(failed, ['unread']);
  // The terminal may be read before its process is known to be a task's.
  const late = { task: { name: 'late' } } as vscode.TaskExecution;
  executions.push(late);
  const name = source.nameOf({ processId: Promise.resolve(13) } as unknown as vscode.Terminal);
  await tick(20);
  started.fire({ execution: late, processId: 13 });
  assert.equal(await name, 'late');
  source.dispose();
});

test('large logs: only the active tab of a log that is not open as a document is watched, once', async () => {
  const tabs = new Emitter<vscode.TabChangeEvent>();
  const groups = new Emitter<vscode.TabGroupChangeEvent>();
  const tab = (path: string, isActive: boolean) => ({ input: { uri: uri(`file://${path}`) }, isActive });
  const all = [{ tabs: [tab('/w/big.log', true), tab('/w/hidden.log', false)] }, { tabs: [tab('/w/a.py', true)] }, { tabs: [tab('/w/small.log', true), { input: undefined, isActive: true }] }];
  const watched: string[] = [];
  const source = new LargeLogSource({
    tabGroups: { all: all as unknown as vscode.TabGroup[], onDidChangeTabs: tabs.event, onDidChangeTabGroups: groups.event },
    workspace: { textDocuments: [{ uri: uri('file:///w/small.log') }] as unknown as vscode.TextDocument[] },
    patterns: () => ['**/*.log'],
    watch: (path) => {
      watched.push(path);
      return Promise.resolve();
    },
  });
  await until('the large log', () => watched.length > 0, 4000);
  tabs.fire({} as vscode.TabChangeEvent);
  await tick(1700);
  assert.deepEqual(watched, ['/w/big.log']);
  source.again();
  await until('watched again for a new server', () => watched.length === 2, 4000);
  source.dispose();
});

test('logs are known by pattern', () => {
  const patterns = ['**/*.log', '**/log*.txt'];
  assert.equal(isLog('/w/run 1/train.log', patterns), true);
  assert.equal(isLog('C:\\w\\train.log', patterns), true);
  assert.equal(isLog('/w/.hidden/log-3.txt', patterns), true);
  assert.equal(isLog('/w/notes.txt', patterns), false);
});

test('text: what the server finds in it is returned; nothing found is an empty answer', async () => {
  const { outbox, sent } = recordingOutbox();
  const store = new IncidentStore();
  const texts = new TextSource(outbox, store, () => Promise.resolve());
  const old = incident();
  store.replace([old]);
  const answer = texts.analyse('clipboard', 'RuntimeError: boom');
  const found = incident({ source: { kind: 'text', name: 'clipboard' } });
  store.replace([old, found]);
  assert.deepEqual(await answer, [found]);
  assert.equal((sent[0]?.params as { data: string }).data, 'RuntimeError: boom\n');
  assert.equal((sent[0]?.params as { terminalId: string }).terminalId, 'clipboard:');
  assert.equal(sent[1]?.method, 'detour/terminalEnd');
  store.replace([old]);
  assert.deepEqual(await texts.analyse('clipboard', 'all is well'), []);
});

test('test failures: every shape in which VS Code hands over a message', () => {
  assert.equal(testMessageText({ test: {}, message: { message: 'RuntimeError: boom' } }), 'RuntimeError: boom');
  assert.equal(testMessageText({ message: { message: { value: '```\nboom\n```' }, actualOutput: '3' } }), '```\nboom\n```\n3');
  assert.equal(testMessageText({ message: 'plain' }), 'plain');
  assert.equal(testMessageText(undefined), '');
  assert.equal(testMessageText(42), '');
});
