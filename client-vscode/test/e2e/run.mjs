// The end-to-end run: installs what it needs, packages the extension, and drives a real VS Code.
//   node test/e2e/run.mjs [--times N] [--only PATTERN] [--update-images] [file.test.mjs ...]
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const client = path.join(here, '..', '..');
const args = process.argv.slice(2);
const times = args.includes('--times') ? Number(args[args.indexOf('--times') + 1]) : 1;
const only = args.includes('--only') ? ['--test-name-pattern', args[args.indexOf('--only') + 1]] : [];
const files = args.filter((a) => a.endsWith('.test.mjs'));
const out = process.env.E2E_OUT ?? path.join(here, '.out');
const sh = (command, argv, options = {}) => execFileSync(command, argv, { stdio: 'inherit', ...options });

sh('bash', [path.join(here, 'setup.sh')]);
if (!process.env.E2E_VSIX) sh(process.execPath, [path.join(client, 'scripts', 'package.mjs')]);
const vsce = path.join(client, 'node_modules', '@vscode', 'vsce', 'vsce');
fs.mkdirSync(path.join(client, '.build'), { recursive: true });
for (const name of ['support', 'langpack']) {
  sh(process.execPath, [vsce, 'package', '--no-dependencies', '--skip-license', '--allow-missing-repository', '-o', path.join(client, '.build', `${name}.vsix`)],
    { cwd: path.join(here, name), stdio: ['ignore', 'ignore', 'inherit'] });
}

const tests = files.length > 0 ? files : fs.readdirSync(here).filter((name) => name.endsWith('.test.mjs')).sort();
for (let n = 1; n <= times; n += 1) {
  fs.rmSync(out, { recursive: true, force: true });
  fs.mkdirSync(out, { recursive: true });
  const { status } = spawnSync(process.execPath, ['--test', '--test-concurrency=1', ...only, '--test-reporter=spec', ...tests.map((name) => path.join(here, path.basename(name)))],
    { stdio: 'inherit', env: { ...process.env, E2E_OUT: out } });
  if (status !== 0) {
    console.error(`run ${n} of ${times} failed; screenshots and logs are in ${out}`);
    process.exit(status ?? 1);
  }
  if (times > 1) console.log(`run ${n} of ${times} passed`);
  if (n === 1 && args.includes('--update-images')) updateImages();
}

function updateImages() {
  const pictures = path.join(out, 'pictures');
  for (const folder of [path.join(client, 'media', 'walkthrough'), path.join(client, '..', 'docs', 'images')]) {
    fs.mkdirSync(folder, { recursive: true });
    for (const name of fs.readdirSync(pictures)) fs.copyFileSync(path.join(pictures, name), path.join(folder, name));
  }
}
