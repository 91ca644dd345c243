// Unit tests, without VS Code: bundled by esbuild (which fails if anything under test loads `vscode`), run by Node.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const out = path.join(root, '.test-out');
fs.rmSync(out, { recursive: true, force: true });
const tests = fs.readdirSync(path.join(root, 'test', 'unit')).filter((name) => name.endsWith('.test.ts'));
await build({
  absWorkingDir: root,
  entryPoints: tests.map((name) => path.join('test', 'unit', name)),
  outdir: out,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  sourcemap: 'inline',
  logLevel: 'warning',
});
const { status } = spawnSync(process.execPath, ['--enable-source-maps', '--test', ...tests.map((name) => path.join(out, name.replace(/\.ts$/, '.mjs')))], { cwd: root, stdio: 'inherit' });
process.exit(status ?? 1);
