// The end-to-end run: installs what it needs, packages the extension, and drives a real VS Code.
//   node test/e2e/run.mjs [--times N] [--only PATTERN] [--update-images] [file.test.mjs ...]
// With --times, every run leaves one line, and all of them are made whatever they show.
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const client = path.join(here, '..', '..');
const args = process.argv.slice(2);
const value = (name) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
const times = Number(value('--times') ?? 1);
if (!Number.isInteger(times) || times < 1) throw new Error('--times wants a number of runs');
const only = args.includes('--only') ? ['--test-name-pattern', value('--only')] : [];
const files = args.filter((a) => a.endsWith('.test.mjs'));
const out = process.env.E2E_OUT ?? path.join(here, '.out');
const sh = (command, argv, options = {}) => execFileSync(command, argv, { stdio: 'inherit', ...options });

try {
  sh('bash', [path.join(here, 'setup.sh')]);
} catch (error) {
  // It has said what is missing.
  process.exit(error.status ?? 1);
}
if (!process.env.E2E_VSIX) {
  sh(process.execPath, [path.join(client, 'scripts', 'package.mjs')]);
  sh(process.execPath, [path.join(client, 'scripts', 'package.mjs'), '--target', 'universal']);
}
const vsce = path.join(client, 'node_modules', '@vscode', 'vsce', 'vsce');
fs.mkdirSync(path.join(client, '.build'), { recursive: true });
for (const name of ['support', 'langpack', 'python']) {
  sh(process.execPath, [vsce, 'package', '--no-dependencies', '--skip-license', '--allow-missing-repository', '-o', path.join(client, '.build', `${name}.vsix`)],
    { cwd: path.join(here, name), stdio: ['ignore', 'ignore', 'inherit'] });
}

const tests = files.length > 0 ? files : fs.readdirSync(here).filter((name) => name.endsWith('.test.mjs')).sort();
let failed = 0;
for (let n = 1; n <= times; n += 1) {
  const begun = Date.now();
  const { status, counts } = runTests();
  const seconds = Math.round((Date.now() - begun) / 1000);
  if (status !== 0) {
    failed += 1;
    const kept = times > 1 ? `${out}-failed-${n}` : out;
    if (kept !== out) {
      fs.rmSync(kept, { recursive: true, force: true });
      fs.cpSync(out, kept, { recursive: true });
    }
    console.error(`screenshots and logs: ${kept}`);
  }
  if (times > 1) console.log(`run ${n} of ${times}: ${counts.pass} passed, ${counts.fail} failed, ${counts.skipped} skipped in ${seconds} s (load ${os.loadavg()[0].toFixed(1)})`);
  if (n === 1 && status === 0 && args.includes('--update-images')) updateImages();
}
if (times > 1) console.log(`${times - failed} of ${times} runs passed`);
process.exit(failed > 0 ? 1 : 0);

/** One run of all tests; in a series only what fails is shown. */
function runTests() {
  fs.rmSync(out, { recursive: true, force: true });
  fs.mkdirSync(out, { recursive: true });
  const tap = path.join(out, 'tests.tap');
  const reporters = ['--test-reporter=spec', `--test-reporter-destination=${times > 1 ? path.join(out, 'tests.txt') : 'stdout'}`, '--test-reporter=tap', `--test-reporter-destination=${tap}`];
  const { status } = spawnSync(process.execPath, ['--test', '--test-concurrency=1', ...only, ...reporters, ...tests.map((name) => path.join(here, path.basename(name)))],
    { stdio: 'inherit', env: { ...process.env, E2E_OUT: out } });
  const text = fs.readFileSync(tap, 'utf8');
  for (const [, name] of text.matchAll(/^\s*not ok \d+ - (.*)$/gm)) if (times > 1) console.error(`failed: ${name}`);
  const count = (name) => Number(new RegExp(`^# ${name} (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
  return { status, counts: { pass: count('pass'), fail: count('fail') + count('cancelled'), skipped: count('skipped') } };
}

function updateImages() {
  const pictures = path.join(out, 'pictures');
  for (const folder of [path.join(client, 'media', 'walkthrough'), path.join(client, '..', 'docs', 'images')]) {
    fs.mkdirSync(folder, { recursive: true });
    for (const name of fs.readdirSync(pictures)) fs.copyFileSync(path.join(pictures, name), path.join(folder, name));
  }
}
