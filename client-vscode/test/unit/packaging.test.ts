import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { TARGETS, UNIVERSAL, refusal, targetOf } from '../../scripts/targets.mjs';

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { command: string; category: string; icon?: string }[];
    readonly viewsContainers: { activitybar: readonly { icon: string }[] };
    readonly walkthroughs: readonly { steps: readonly { media: { image: string; altText: string } }[] }[];
  };
  readonly capabilities: { untrustedWorkspaces: { supported: string }; virtualWorkspaces: { supported: string } };
}
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;

test('targets are called as VS Code calls them', () => {
  assert.equal(targetOf({ platform: 'linux', arch: 'x64', musl: false }), 'linux-x64');
  assert.equal(targetOf({ platform: 'linux', arch: 'x64', musl: true }), 'alpine-x64');
  assert.equal(targetOf({ platform: 'darwin', arch: 'arm64', musl: false }), 'darwin-arm64');
  assert.equal(targetOf({ platform: 'win32', arch: 'x64', musl: false }), 'win32-x64');
});

test('a server is frozen for the machine at hand only; the package without one is built anywhere', () => {
  assert.equal(refusal('linux-x64', 'linux-x64'), undefined);
  assert.equal(refusal(UNIVERSAL, 'darwin-arm64'), undefined);
  assert.match(refusal('darwin-arm64', 'linux-x64') ?? '', /cannot be built on linux-x64: PyInstaller .* a Mac with Apple silicon/s);
  assert.match(refusal('amiga', 'linux-x64') ?? '', /unknown target amiga/);
});

test('npm run package says so and builds nothing', () => {
  const foreign = process.platform === 'win32' ? 'linux-x64' : 'win32-x64';
  const { status, stderr } = spawnSync(process.execPath, ['scripts/package.mjs', '--target', foreign], { encoding: 'utf8' });
  assert.equal(status, 2);
  assert.match(stderr, new RegExp(`^detour-${foreign}\\.vsix cannot be built on `));
  assert.equal(existsSync(`detour-${foreign}.vsix`), false);
});

test('the workflow builds every target', () => {
  const workflow = readFileSync('../.github/workflows/package.yml', 'utf8');
  for (const target of [...Object.keys(TARGETS), UNIVERSAL]) assert.match(workflow, new RegExp(`\\b${target}\\b`));
});

test('every picture and icon that the manifest names is there; every command stands under "Detour"', () => {
  const { commands, viewsContainers, walkthroughs } = manifest.contributes;
  const steps = walkthroughs.flatMap((w) => w.steps);
  assert.equal(steps.length, 4);
  const files = [...viewsContainers.activitybar.map(({ icon }) => icon), ...steps.map(({ media }) => media.image),
    ...['error', 'warning'].flatMap((level) => ['light', 'dark'].map((theme) => `media/gutter-${level}-${theme}.svg`))];
  for (const file of files) assert.ok(existsSync(file), file);
  // The editor colours both itself: product icons, and the view's picture, which must be of one colour.
  for (const { command, icon, category } of commands) {
    assert.equal(category, 'Detour', command);
    assert.match(icon ?? '$(none)', /^\$\([a-z-]+\)$/, command);
  }
  assert.equal(new Set(readFileSync('media/detour.svg', 'utf8').match(/#[0-9A-F]{6}/gi)).size, 1);
  assert.equal(manifest.capabilities.untrustedWorkspaces.supported, 'limited');
  assert.equal(manifest.capabilities.virtualWorkspaces.supported, 'limited');
});

test('where the real editor cannot be had, the test says what it needs and installs nothing', { skip: process.platform !== 'linux' }, () => {
  const bin = mkdtempSync(path.join(tmpdir(), 'detour-bare-'));
  for (const name of ['bash', 'cat', 'dirname', 'id', 'mkdir', 'uname']) {
    const { stdout } = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' });
    symlinkSync(stdout.trim(), path.join(bin, name));
  }
  const { status, stderr } = spawnSync(path.join(bin, 'bash'), ['test/e2e/setup.sh'], { encoding: 'utf8', env: { PATH: bin, E2E_STACK: path.join(bin, 'stack') } });
  rmSync(bin, { recursive: true });
  assert.equal(status, 1);
  assert.match(stderr, /cannot run here\. It needs:\n(?:.*\n)*.*apt-get \(Debian, Ubuntu\): chromium/);
  assert.match(stderr, /Python 3\.10 or newer/);
});
