import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type * as vscode from 'vscode';
import { TerminalSource } from '../../src/sources/terminals';
import { Emitter, Pipe, recordingOutbox, tick, until, uri } from './fakes';

const start = new Emitter<vscode.TerminalShellExecutionStartEvent>();
const end = new Emitter<vscode.TerminalShellExecutionEndEvent>();
const close = new Emitter<vscode.Terminal>();
const terminal = { name: 'bash' } as vscode.Terminal;

interface Unseen { commandLine: string; exitCode: number | undefined }
let unseen: Unseen[];
let enabled: boolean;
let task: string | undefined;
let box: ReturnType<typeof recordingOutbox>;

beforeEach(() => {
  unseen = [];
  enabled = true;
  task = undefined;
  box = recordingOutbox();
});

function source(): TerminalSource {
  return new TerminalSource(
    { onDidStartTerminalShellExecution: start.event, onDidEndTerminalShellExecution: end.event, onDidCloseTerminal: close.event },
    box.outbox,
    {
      enabled: () => enabled,
      taskOf: () => Promise.resolve(task),
      unseen: ({ commandLine, exitCode }) => unseen.push({ commandLine, exitCode }),
      seen: () => undefined,
      log: (text) => { throw new Error(text); },
    },
  );
}

function execution(value: string, pipe: Pipe, read = () => pipe): vscode.TerminalShellExecution {
  const run: unknown = { commandLine: { value, isTrusted: true }, cwd: uri('file:///home/user/project'), read };
  return run as vscode.TerminalShellExecution;
}

const fireStart = (e: vscode.TerminalShellExecution): void => { start.fire({ terminal, execution: e } as vscode.TerminalShellExecutionStartEvent); };
const fireEnd = (e: vscode.TerminalShellExecution, exitCode: number | undefined): void => { end.fire({ terminal, execution: e, exitCode } as vscode.TerminalShellExecutionEndEvent); };

test('read() is called in the start event itself', () => {
  const s = source();
  let called = false;
  const pipe = new Pipe();
  fireStart(execution('python train.py', pipe, () => {
    called = true;
    return pipe;
  }));
  assert.equal(called, true);
  pipe.end();
  s.dispose();
});

test('chunks are forwarded as they come, and the end with the exit code', async () => {
  const s = source();
  const pipe = new Pipe();
  const e = execution('python train.py', pipe);
  fireStart(e);
  pipe.write('\u001b]633;C\u0007');
  pipe.write('Traceback');
  await until('two chunks', () => box.sent.length === 2);
  pipe.write('');
  pipe.write(' (most recent call last):\r\n');
  pipe.end();
  fireEnd(e, 1);
  await until('the end', () => box.sent.length === 4);
  const [first, , third, last] = box.sent;
  assert.equal(first?.method, 'detour/terminalData');
  assert.deepEqual(third?.params, { ...first.params, data: ' (most recent call last):\r\n' });
  assert.deepEqual({ ...first.params, executionId: '', data: '' }, { terminalId: 'terminal:1', executionId: '', commandLine: 'python train.py', cwd: '/home/user/project', data: '' });
  assert.deepEqual(last?.params, { terminalId: 'terminal:1', executionId: (first.params as { executionId: string }).executionId, exitCode: 1, noData: false });
  assert.deepEqual(unseen, []);
  s.dispose();
});

test('two runs in one terminal have one terminal id and two execution ids', async () => {
  const s = source();
  const ids: { terminalId: string; executionId: string }[] = [];
  for (let n = 1; n <= 2; n += 1) {
    const pipe = new Pipe();
    const e = execution('python train.py', pipe);
    fireStart(e);
    pipe.write('x');
    pipe.end();
    fireEnd(e, 0);
    await until('the end', () => box.sent.length === 2 * n);
    ids.push(box.sent.at(-1)?.params as { terminalId: string; executionId: string });
  }
  assert.equal(ids[0]?.terminalId, ids[1]?.terminalId);
  assert.notEqual(ids[0]?.executionId, ids[1]?.executionId);
  s.dispose();
});

test('a run that ended without data is unknown: noData, and somebody is told', async () => {
  const s = source();
  const pipe = new Pipe();
  const e = execution('cat boom.log', pipe);
  fireStart(e);
  pipe.write('\u001b]633;C\u0007\u001b[H\u001b[2J\u001b[3J');
  pipe.end();
  fireEnd(e, 1);
  await until('the end', () => box.sent.some((m) => m.method === 'detour/terminalEnd'));
  assert.equal((box.sent.at(-1)?.params as { noData: boolean }).noData, true);
  assert.deepEqual(unseen, [{ commandLine: 'cat boom.log', exitCode: 1 }]);
  s.dispose();
});

test('an empty Enter or a subshell is ignored', async () => {
  const s = source();
  fireStart(execution('', new Pipe(), () => { throw new Error('not to be read'); }));
  await tick(20);
  assert.deepEqual(box.sent, []);
  s.dispose();
});

test('switched off, nothing is sent, but the data is drained', async () => {
  enabled = false;
  const s = source();
  const pipe = new Pipe();
  const e = execution('python train.py', pipe);
  fireStart(e);
  pipe.write('secret');
  pipe.end();
  fireEnd(e, 1);
  await tick(20);
  assert.deepEqual(box.sent, []);
  assert.deepEqual(unseen, []);
  s.dispose();
});

test('the output of a task bears the name of the task', async () => {
  task = 'train';
  const s = source();
  const pipe = new Pipe();
  const e = execution('python train.py', pipe);
  fireStart(e);
  pipe.write('x');
  pipe.end();
  fireEnd(e, 0);
  await until('the end', () => box.sent.length === 2);
  assert.equal((box.sent[0]?.params as { terminalId: string }).terminalId, 'task:train');
  s.dispose();
});

test('dispose lets go of every event', () => {
  const s = source();
  assert.equal(start.count + end.count + close.count, 3);
  s.dispose();
  assert.equal(start.count + end.count + close.count, 0);
});
