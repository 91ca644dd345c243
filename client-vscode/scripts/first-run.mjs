// Starts a server, opens a file that holds a dead end, and waits until the dead end is marked: what a package is worth is known
// before it is made.
//   node scripts/first-run.mjs COMMAND [ARGUMENT ...]
import { spawn } from 'node:child_process';

const PATIENCE_MS = 120_000;
const PROGRAM = 'import torch\nimport torch._dynamo\n\ntorch._dynamo.config.recompile_limit = 0\n';
const URI = 'file:///nowhere/first_run.py';

/**
 * Resolves with `{ answered, ready, marked, records }`: milliseconds from the start of the process to the answer to `initialize`,
 * to the loaded records and to the first diagnostic, and how many records there are. Rejects with what the server said.
 */
export function firstRun(command, args) {
  return new Promise((resolve, reject) => {
    const started = Date.now();
    const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    let stderr = '';
    let buffer = Buffer.alloc(0);
    let answered = 0;
    let ready;
    let marked;
    const done = () => {
      if (ready !== undefined && marked !== undefined) end(resolve, { answered, marked, ...ready });
    };
    const end = (settle, value) => {
      clearTimeout(timer);
      child.kill();
      settle(value);
    };
    const timer = setTimeout(() => end(reject, new Error(`no diagnostic within ${PATIENCE_MS / 1000} s\n${stderr}`)), PATIENCE_MS);
    const send = (message) => {
      const body = JSON.stringify({ jsonrpc: '2.0', ...message });
      child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    };
    child.stderr.on('data', (data) => { stderr += data; });
    child.on('error', (error) => end(reject, error));
    child.on('exit', (code) => end(reject, new Error(`ended with ${code}\n${stderr}`)));
    child.stdout.on('data', (data) => {
      buffer = Buffer.concat([buffer, data]);
      for (;;) {
        const head = buffer.indexOf('\r\n\r\n');
        if (head < 0) return;
        const length = Number(/Content-Length: (\d+)/i.exec(buffer.subarray(0, head).toString())?.[1]);
        if (buffer.length < head + 4 + length) return;
        const message = JSON.parse(buffer.subarray(head + 4, head + 4 + length).toString());
        buffer = buffer.subarray(head + 4 + length);
        if (message.id === 1 && message.method === undefined) {
          answered = Date.now() - started;
          send({ method: 'initialized', params: {} });
          send({ method: 'textDocument/didOpen', params: { textDocument: { uri: URI, languageId: 'python', version: 1, text: PROGRAM } } });
        } else if (message.method === 'detour/status' && message.params.state === 'ready') {
          ready ??= { ready: Date.now() - started, records: message.params.records };
          done();
        } else if (message.method === 'textDocument/publishDiagnostics' && message.params.uri === URI && message.params.diagnostics.length > 0) {
          marked ??= Date.now() - started;
          done();
        } else if (message.id !== undefined && message.method !== undefined) {
          send({ id: message.id, result: null });
        } else if (message.method === 'window/logMessage' && message.params.type === 1) {
          end(reject, new Error(`${message.params.message}\n${stderr}`));
        }
      }
    });
    send({ id: 1, method: 'initialize', params: { processId: process.pid, rootUri: null, capabilities: {}, initializationOptions: { clientCommands: true } } });
  });
}

if (process.argv[1]?.endsWith('first-run.mjs')) {
  const { answered, ready, marked, records } = await firstRun(process.argv[2], process.argv.slice(3));
  console.log(`answered after ${answered} ms, ready after ${ready} ms with ${records} records, first diagnostic after ${marked} ms`);
}
