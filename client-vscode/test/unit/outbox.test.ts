import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Outbox, type Message } from '../../src/outbox';
import { tick } from './fakes';

const data = (executionId: string, text: string) => ({ terminalId: 't', executionId, commandLine: 'python a.py', cwd: null, data: text });
const end = (executionId: string) => ({ terminalId: 't', executionId, exitCode: 1, noData: false });
const texts = (messages: Message[]) => messages.map((m) => (m.method === 'detour/terminalData' ? m.params.data : m.method));

function connected(outbox: Outbox): Message[] {
  const sent: Message[] = [];
  outbox.connect((message) => {
    sent.push(message);
    return Promise.resolve();
  });
  return sent;
}

test('what is printed before the server runs is delivered when it does, in order', () => {
  const outbox = new Outbox(() => undefined);
  outbox.terminalData(data('1', 'a'));
  outbox.terminalData(data('1', 'b'));
  outbox.terminalEnd(end('1'));
  assert.deepEqual(texts(connected(outbox)), ['a', 'b', 'detour/terminalEnd']);
});

test('a restarted server is told the last runs again, in order of the runs', () => {
  const outbox = new Outbox(() => undefined);
  connected(outbox);
  outbox.terminalData(data('1', 'a'));
  outbox.terminalEnd(end('1'));
  outbox.terminalData(data('2', 'c'));
  outbox.disconnect();
  outbox.terminalData(data('2', 'd'));
  assert.deepEqual(texts(connected(outbox)), ['a', 'detour/terminalEnd', 'c', 'd']);
});

test('after "clear" a restart brings nothing back', () => {
  const outbox = new Outbox(() => undefined);
  outbox.terminalData(data('1', 'a'));
  outbox.forget();
  assert.deepEqual(texts(connected(outbox)), []);
});

test('of a notebook cell only the newest outputs are kept', () => {
  const outbox = new Outbox(() => undefined);
  const output = (text: string) => ({ notebookUri: 'n', cellUri: 'c', executionId: '1', outputs: [{ mime: 'text/plain', text }] });
  outbox.notebookOutput(output('old'));
  outbox.notebookOutput(output('new'));
  const sent = connected(outbox);
  assert.equal(sent.length, 1);
  assert.deepEqual(sent[0]?.params, output('new'));
});

test('memory is bounded: old runs go first, and a run too large for it keeps its end', () => {
  const outbox = new Outbox(() => undefined, 10);
  outbox.terminalData(data('1', 'aaaa'));
  outbox.terminalData(data('2', 'bbbb'));
  outbox.terminalData(data('3', 'cccc'));
  assert.deepEqual(texts(connected(outbox)), ['bbbb', 'cccc']);
  for (const piece of ['dddd', 'eeee', 'ffff', 'gggg']) outbox.terminalData(data('4', piece));
  assert.deepEqual(texts(connected(outbox)), ['ffff', 'gggg']);
});

test('a pipe that does not move loses data with one warning per run, and recovers', async () => {
  const warnings: string[] = [];
  const outbox = new Outbox((text) => warnings.push(text), 1000, 10);
  const sent: string[] = [];
  const release: (() => void)[] = [];
  outbox.connect((message) => {
    sent.push(message.method === 'detour/terminalData' ? message.params.data : message.method);
    return new Promise((resolve) => release.push(resolve));
  });
  outbox.terminalData(data('1', '12345678'));
  outbox.terminalData(data('1', 'lost'));
  outbox.terminalData(data('1', 'lost too'));
  assert.deepEqual(sent, ['12345678']);
  assert.equal(warnings.length, 1);
  release[0]?.();
  await tick();
  outbox.terminalData(data('1', 'again'));
  outbox.terminalEnd(end('1'));
  assert.deepEqual(sent, ['12345678', 'again', 'detour/terminalEnd']);
});

test('a failed delivery is a warning, not an unhandled rejection', async () => {
  const warnings: string[] = [];
  const outbox = new Outbox((text) => warnings.push(text));
  outbox.connect(() => Promise.reject(new Error('pipe closed')));
  outbox.terminalData(data('1', 'a'));
  await tick();
  assert.equal(warnings.length, 1);
  assert.match(warnings[0] ?? '', /pipe closed/);
});
