// Builds the VSIX for the platform that this runs on: detour-<platform>.vsix.
//   node scripts/package.mjs [--no-server]      --no-server: a package for every platform, which needs detour-lsp to be installed
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const repo = path.join(root, '..');
const script = (file, ...args) => execFileSync(process.execPath, [path.join(root, 'scripts', file), ...args], { stdio: 'inherit' });
const withServer = !process.argv.includes('--no-server');
const target = `${process.platform === 'darwin' || process.platform === 'win32' ? process.platform : 'linux'}-${process.arch}`;

if (withServer) script('build-server.mjs');
else fs.rmSync(path.join(root, 'bundled'), { recursive: true, force: true });
script('bundle.mjs');
// vsce wants both beside the manifest; the originals stand in the repository's root.
for (const file of ['LICENSE', 'CHANGELOG.md']) if (fs.existsSync(path.join(repo, file))) fs.copyFileSync(path.join(repo, file), path.join(root, file));

const vsix = path.join(root, withServer ? `detour-${target}.vsix` : 'detour-universal.vsix');
execFileSync(process.execPath, [path.join(root, 'node_modules', '@vscode', 'vsce', 'vsce'), 'package',
  '--no-dependencies', '--allow-missing-repository', '--no-rewrite-relative-links', '--skip-license',
  ...(withServer ? ['--target', target] : []), '--out', vsix], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
console.log(`${path.relative(root, vsix)}: ${(fs.statSync(vsix).size / 1e6).toFixed(1)} MB`);
