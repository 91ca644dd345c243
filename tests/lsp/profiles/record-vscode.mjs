// Writes what the extension announces in a real VS Code to vscode.json: what record.sh does for other editors.
//   node tests/lsp/profiles/record-vscode.mjs      after `npm run test:e2e` has installed what it needs
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { openWorkbench, startCodeServer, until } from '../../../client-vscode/test/e2e/harness.mjs';
import { session, UNIVERSAL } from '../../../client-vscode/test/e2e/stage.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const file = path.join(here, 'vscode.json');
fs.rmSync(file, { force: true });
const { dir, ws, env } = session('capabilities');
// What `detour.interpreter` names is asked for the version of detour-lsp, and then started as the server.
const interpreter = path.join(path.dirname(ws), 'interpreter');
fs.writeFileSync(interpreter, `#!/bin/sh\n[ "$1" = -I ] && exec echo 0.1.0\nexec python3 ${path.join(here, 'record.py')}\n`, { mode: 0o755 });
const server = await startCodeServer({ dir, vsix: [UNIVERSAL], settings: { 'detour.interpreter': [interpreter] }, env: { ...env, CAPABILITIES: file } });
try {
  const workbench = await openWorkbench(server, ws);
  try {
    await until('the extension has greeted its server', () => fs.existsSync(file), { timeout: 60000 });
  } catch (error) {
    console.error(server.channel('Detour'), server.channel('Detour Server'));
    throw error;
  } finally {
    await workbench.close();
  }
} finally {
  await server.stop();
  fs.rmSync(path.dirname(ws), { recursive: true, force: true, maxRetries: 5 });
}
