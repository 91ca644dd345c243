// Builds a VSIX: detour-<target>.vsix.
//   node scripts/package.mjs [--target TARGET]     without TARGET: for the machine that this runs on
// `--target universal` carries no frozen server but the wheel of detour-lsp, which the user installs into an environment.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { UNIVERSAL, here, refusal } from './targets.mjs';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const repo = path.join(root, '..');
const args = process.argv.slice(2);
const target = args.includes('--target') ? (args[args.indexOf('--target') + 1] ?? '') : here();
const no = refusal(target, here());
if (no !== undefined) {
  console.error(no);
  process.exit(2);
}

const script = (file, ...argv) => execFileSync(process.execPath, [path.join(root, 'scripts', file), ...argv], { stdio: 'inherit' });
if (target === UNIVERSAL) buildWheel();
else script('build-server.mjs');
script('bundle.mjs');
// vsce wants both beside the manifest; the originals stand in the repository's root.
for (const file of ['LICENSE', 'CHANGELOG.md']) if (fs.existsSync(path.join(repo, file))) fs.copyFileSync(path.join(repo, file), path.join(root, file));

const vsix = path.join(root, `detour-${target}.vsix`);
execFileSync(process.execPath, [path.join(root, 'node_modules', '@vscode', 'vsce', 'vsce'), 'package',
  '--no-dependencies', '--allow-missing-repository', '--no-rewrite-relative-links', '--skip-license',
  ...(target === UNIVERSAL ? ['--ignoreFile', '.vscodeignore-universal'] : ['--target', target]), '--out', vsix], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
console.log(`${path.relative(root, vsix)}: ${(fs.statSync(vsix).size / 1e6).toFixed(1)} MB`);

function buildWheel() {
  const wheel = path.join(root, 'wheel');
  fs.rmSync(wheel, { recursive: true, force: true });
  const python = process.env.DETOUR_BUILD_PYTHON ?? (process.platform === 'win32' ? 'python' : 'python3');
  execFileSync(python, ['-m', 'pip', 'wheel', '-qq', '--disable-pip-version-check', '--no-deps', '--wheel-dir', wheel, repo], { stdio: ['ignore', 'inherit', 'inherit'] });
}
