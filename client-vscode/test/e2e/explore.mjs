import fs from 'node:fs';
import path from 'node:path';
import { startCodeServer, openWorkbench, here, until } from './harness.mjs';
const dir = '/tmp/detour/x/run';
const ws = '/tmp/detour/x/ws';
fs.rmSync(ws, { recursive: true, force: true });
fs.cpSync(path.join(here, 'workspace'), ws, { recursive: true });
const mod = await import(process.argv[2]);
const server = await startCodeServer({ dir, vsix: ['/work/main/client-vscode/detour-linux-x64.vsix', '/tmp/detour/support.vsix', ...(mod.vsix ?? [])], env: { E2E_PYTHON: '/tmp/detour/stack/venv/bin/python', E2E_RUNS: path.join(here, 'runs/index.json'), E2E_REPLAY: path.join(here, 'replay'), PYTHONPATH: path.join(here, 'replay') }, ...mod.options });
const wb = await openWorkbench(server, ws, mod.view);
try {
  await mod.default(wb, server, { until, ws });
} catch (e) { console.error(e); }
await wb.shot('/tmp/detour/x/last.png');
console.log(server.channel('Detour'), server.channel('Detour Server').slice(-3000));
await wb.close();
await server.stop();
