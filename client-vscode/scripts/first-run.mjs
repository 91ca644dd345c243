// Starts a server and waits until it has loaded its records: what a package is worth is known before it is made.
//   node scripts/first-run.mjs COMMAND [ARGUMENT ...]
import { spawn } from 'node:child_process';

const PATIENCE_MS = 120_000;

/** Resolves with `{ answered, ready, records }` (milliseconds, milliseconds, count); rejects with what the server said. */
export function firstRun(command, args) {
  return new Promise((resolve, reject) => {
    const started = Date.now();
    const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    let stderr = '';
    let buffer = Buffer.alloc(0);
    let answered = 0;
    const end = (settle, value) => {
      clearTimeout(timer);
      child.kill();
      settle(value);
    };
    const timer = setTimeout(() => end(reject, new Error(`not ready within ${PATIENCE_MS / 1000} s\n${stderr}`)), PATIENCE_MS);
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
        if (message.id === 1) {
          answered = Date.now() - started;
          send({ method: 'initialized', params: {} });
        } else if (message.method === 'detour/status' && message.params.state === 'ready') {
          end(resolve, { answered, ready: Date.now() - started, records: message.params.records });
        } else if (message.method === 'window/logMessage' && message.params.type === 1) {
          end(reject, new Error(`${message.params.message}\n${stderr}`));
        }
      }
    });
    send({ id: 1, method: 'initialize', params: { processId: process.pid, rootUri: null, capabilities: {}, initializationOptions: { clientCommands: true } } });
  });
}

if (process.argv[1]?.endsWith('first-run.mjs')) {
  const { answered, ready, records } = await firstRun(process.argv[2], process.argv.slice(3));
  console.log(`answered after ${answered} ms, ready after ${ready} ms with ${records} records`);
}
