import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import type * as vscode from 'vscode';
import { findBundled } from '../../src/server/bundled';
import { CrashBudget } from '../../src/server/crashes';
import { Interpreters, PYTHON, PYTHON_ENVIRONMENTS } from '../../src/server/interpreters';
import { Lifecycle, type Hooks } from '../../src/server/lifecycle';
import { versionOf, which } from '../../src/server/probe';
import { resolveServer, sameServer, type Probe, type Question, type ServerCommand } from '../../src/server/resolve';
import { untranslated } from '../../src/views/translate';
import { Emitter, tick } from './fakes';

const probe = (versions: Record<string, string>, onPath?: string): Probe & { asked: string[] } => {
  const asked: string[] = [];
  return {
    asked,
    version: (interpreter) => {
      const name = interpreter.join(' ');
      asked.push(name);
      const version = versions[name];
      return Promise.resolve(version === undefined ? { reason: 'detour-lsp is not installed there' } : { version });
    },
    onPath: () => {
      asked.push('PATH');
      return Promise.resolve(onPath);
    },
  };
};
const question = (part: Partial<Question> = {}): Question => ({ trusted: true, importStrategy: 'fromEnvironment', interpreter: [], selected: undefined, bundled: '/ext/detour', ...part });
const SERVE = ['-m', 'detour_lsp', 'server', '--stdio'];

test('resolution: the setting, then the environment, then PATH, then the bundled server', async () => {
  const all = probe({ '/set/python -X dev': '1.0', '/env/python': '2.0' }, '/usr/bin/detour');
  const bySetting = await resolveServer(question({ interpreter: ['/set/python', '-X', 'dev'], selected: '/env/python' }), all, untranslated);
  assert.deepEqual([bySetting.server?.command, bySetting.server?.args, bySetting.server?.version], ['/set/python', ['-X', 'dev', ...SERVE], '1.0']);
  const byEnvironment = await resolveServer(question({ selected: '/env/python' }), all, untranslated);
  assert.deepEqual([byEnvironment.server?.command, byEnvironment.server?.args, byEnvironment.server?.origin], ['/env/python', SERVE, 'environment']);
  const byPath = await resolveServer(question({ selected: '/other/python' }), all, untranslated);
  assert.deepEqual([byPath.server?.command, byPath.server?.args], ['/usr/bin/detour', ['server', '--stdio']]);
  const bundled = await resolveServer(question(), probe({}), untranslated);
  assert.deepEqual([bundled.server?.command, bundled.server?.origin], ['/ext/detour', 'bundled']);
});

test('resolution: in an untrusted workspace nothing is asked and the bundled server runs', async () => {
  const asked = probe({ '/set/python': '1.0' }, '/usr/bin/detour');
  const { server } = await resolveServer(question({ trusted: false, interpreter: ['/set/python'], selected: '/env/python' }), asked, untranslated);
  assert.equal(server?.command, '/ext/detour');
  assert.deepEqual(asked.asked, []);
});

test('resolution: useBundled asks nobody either', async () => {
  const asked = probe({ '/env/python': '1.0' }, '/usr/bin/detour');
  const { server } = await resolveServer(question({ importStrategy: 'useBundled', selected: '/env/python' }), asked, untranslated);
  assert.equal(server?.origin, 'bundled');
  assert.deepEqual(asked.asked, []);
});

test('resolution: an interpreter without detour-lsp is named, and the bundled server steps in', async () => {
  const { server, warnings } = await resolveServer(question({ interpreter: ['/set/python'] }), probe({}), untranslated);
  assert.equal(server?.origin, 'bundled');
  assert.deepEqual(warnings, ['detour.interpreter (/set/python) has no usable detour-lsp: detour-lsp is not installed there']);
});

test('resolution: no server at all is said, not thrown', async () => {
  const { server, warnings } = await resolveServer(question({ bundled: undefined }), probe({}), untranslated);
  assert.equal(server, undefined);
  assert.equal(warnings.length, 1);
});

const command = (version: string, name = '/env/python'): ServerCommand => ({ command: name, args: SERVE, origin: 'environment', why: '', version });

test('the same server is recognised by command, arguments and version', () => {
  assert.equal(sameServer(command('1'), command('1')), true);
  assert.equal(sameServer(command('1'), command('2')), false);
  assert.equal(sameServer(command('1'), undefined), false);
  assert.equal(sameServer(undefined, undefined), true);
});

function lifecycle(answers: (ServerCommand | undefined)[]) {
  const events: string[] = [];
  let alive = 0;
  let most = 0;
  const hooks: Hooks = {
    resolve: () => {
      const server = answers.length > 1 ? answers.shift() : answers[0];
      return Promise.resolve({ server, warnings: server ? [] : ['no server'] });
    },
    start: async (c) => {
      alive += 1;
      most = Math.max(most, alive);
      await tick(2);
      if (c.version === 'broken') {
        alive -= 1;
        throw new Error('cannot start');
      }
      events.push(`start ${c.version ?? ''}`);
      return {
        stop: async () => {
          await tick(2);
          alive -= 1;
          events.push(`stop ${c.version ?? ''}`);
        },
      };
    },
    starting: () => undefined,
    started: () => undefined,
    failed: (reason) => events.push(`failed ${reason}`),
    warn: () => undefined,
  };
  return { control: new Lifecycle(hooks), events, most: () => most };
}

test('lifecycle: many restarts at once are queued, folded, and never overlap', async () => {
  const { control, events, most } = lifecycle([command('1')]);
  await Promise.all([control.restart(), control.restart(), control.restart()]);
  assert.deepEqual(events, ['start 1']);
  const first = control.restart();
  await tick();
  await Promise.all([first, control.restart(), control.reconsider()]);
  assert.deepEqual(events, ['start 1', 'stop 1', 'start 1', 'stop 1', 'start 1']);
  assert.equal(most(), 1);
});

test('lifecycle: reconsidering restarts only when another server comes out', async () => {
  const { control, events } = lifecycle([command('1'), command('1'), command('2')]);
  await control.restart();
  await control.reconsider();
  assert.deepEqual(events, ['start 1']);
  await control.reconsider();
  assert.deepEqual(events, ['start 1', 'stop 1', 'start 2']);
  assert.equal(control.current?.version, '2');
});

test('lifecycle: a server that cannot start, or is not there, is reported, and a later restart works', async () => {
  const { control, events } = lifecycle([command('broken'), undefined, command('3')]);
  await control.restart();
  await control.restart();
  await control.restart();
  assert.deepEqual(events, ['failed cannot start', 'failed no server', 'start 3']);
  await control.stop();
  assert.equal(control.current, undefined);
});

test('crashes: a few are survived, a loop is not', () => {
  let now = 0;
  const budget = new CrashBudget(3, 1000, () => now);
  assert.deepEqual([budget.allowRestart(), budget.allowRestart(), budget.allowRestart()], [true, true, false]);
  now = 5000;
  assert.equal(budget.allowRestart(), true);
});

test('probe: a real interpreter without detour-lsp says so; a missing one too', async () => {
  const none = await versionOf(['/nonexistent/python']);
  assert.ok('reason' in none);
  assert.match(none.reason, /ENOENT/);
  const folder = mkdtempSync(path.join(tmpdir(), 'detour-probe-'));
  const old = path.join(folder, 'python');
  writeFileSync(old, '#!/bin/sh\necho "Python 3.8 is older than 3.10" >&2\nexit 1\n');
  chmodSync(old, 0o755);
  assert.deepEqual(await versionOf([old]), { reason: 'Python 3.8 is older than 3.10' });
  writeFileSync(old, '#!/bin/sh\necho 0.1.0\n');
  assert.deepEqual(await versionOf([old]), { version: '0.1.0' });
  rmSync(folder, { recursive: true });
});

test('PATH is searched in order, our own folder and relative entries left out', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'detour-path-'));
  for (const name of ['ours', 'users']) {
    mkdirSync(path.join(folder, name));
    writeFileSync(path.join(folder, name, 'detour'), '#!/bin/sh\n');
    chmodSync(path.join(folder, name, 'detour'), 0o755);
  }
  const env = { PATH: ['bin', path.join(folder, 'none'), path.join(folder, 'ours'), path.join(folder, 'users')].join(':') };
  assert.equal(await which('detour', env, 'linux', path.join(folder, 'ours')), path.join(folder, 'users', 'detour'));
  assert.equal(await which('other', env, 'linux', undefined), undefined);
  rmSync(folder, { recursive: true });
});

test('the bundled server is found, and made executable if the unpacker lost that', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'detour-ext-'));
  assert.equal(await findBundled(folder, 'linux'), undefined);
  const file = path.join(folder, 'bundled', 'detour', 'detour');
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, '#!/bin/sh\n');
  chmodSync(file, 0o644);
  assert.equal(await findBundled(folder, 'linux'), file);
  rmSync(folder, { recursive: true });
});

test('interpreters: both Python extensions are optional, the environments extension goes first, and changes are heard', async () => {
  const change = new Emitter<unknown>();
  const installed = new Map<string, unknown>();
  const extensions = {
    getExtension: (id: string) => (installed.has(id) ? { isActive: true, exports: installed.get(id) } : undefined),
    onDidChange: new Emitter<undefined>().event,
  } as unknown as typeof vscode.extensions;
  let changes = 0;
  const logged: string[] = [];
  const interpreters = new Interpreters(extensions, () => { changes += 1; }, (text) => logged.push(text));
  assert.equal(await interpreters.selected(undefined), undefined);
  installed.set(PYTHON, { environments: { getActiveEnvironmentPath: () => ({ path: '/p' }), resolveEnvironment: () => Promise.resolve({ executable: { uri: { fsPath: '/p/bin/python' } } }), onDidChangeActiveEnvironmentPath: change.event } });
  assert.equal(await interpreters.selected(undefined), '/p/bin/python');
  installed.set(PYTHON_ENVIRONMENTS, { getEnvironment: () => Promise.resolve({ execInfo: { run: { executable: '/e/bin/python' } } }), onDidChangeEnvironment: change.event });
  assert.equal(await interpreters.selected(undefined), '/e/bin/python');
  change.fire(undefined);
  assert.equal(changes, 2);
  installed.set(PYTHON_ENVIRONMENTS, { getEnvironment: () => Promise.reject(new Error('no manager')) });
  assert.equal(await interpreters.selected(undefined), '/p/bin/python');
  assert.equal(logged.length, 1);
  interpreters.dispose();
});
