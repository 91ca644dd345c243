// What the sessions share: packages, a fresh copy of the workspace, the environment of the user's programs.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { client, here, stack } from './harness.mjs';

export const VSIX = process.env.E2E_VSIX || path.join(client, `detour-linux-${process.arch}.vsix`);
export const UNIVERSAL = process.env.E2E_UNIVERSAL_VSIX || path.join(client, 'detour-universal.vsix');
export const SUPPORT = path.join(client, '.build', 'support.vsix');
export const LANGUAGE_PACK = path.join(client, '.build', 'langpack.vsix');
/** Stands in for Microsoft's Python extension. */
export const PYTHON_EXTENSION = path.join(client, '.build', 'python.vsix');
/** A Python that has detour-lsp: the one that the server was frozen from. */
export const PYTHON_WITH_DETOUR = path.join(client, '.build', 'venv', 'bin', 'python');
/** A Python that has debugpy, and no Detour. */
export const PYTHON = path.join(stack, 'venv', 'bin', 'python');

/** Programs run under real torch where `python3` has it, else their stored runs are replayed. */
function torchPath() {
  try {
    execFileSync('python3', ['-c', 'import torch'], { stdio: 'ignore' });
    return '';
  } catch {
    return path.join(here, 'replay');
  }
}

export function session(name) {
  const ws = path.join(fs.realpathSync(os.tmpdir()), `detour-e2e-${process.pid}-${name}`, 'project');
  fs.rmSync(path.dirname(ws), { recursive: true, force: true });
  fs.cpSync(path.join(here, 'workspace'), ws, { recursive: true });
  const replay = torchPath();
  const env = {
    E2E_PYTHON: PYTHON,
    E2E_RUNS: path.join(here, 'runs', 'index.json'),
    E2E_REPLAY: replay,
    E2E_VIRTUAL_FILE: path.join(here, 'workspace', 'limit.py'),
    PYTHONPATH: replay,
    // A Detour of the developer's own, on PATH, is not what a user has.
    PATH: (process.env.PATH ?? '').split(':').filter((folder) => !fs.existsSync(path.join(folder, 'detour'))).join(':'),
    // A machine where nobody set anything up: no cache of an earlier run either.
    XDG_CACHE_HOME: path.join(path.dirname(ws), 'cache'),
  };
  const selected = path.join(path.dirname(ws), 'selected-interpreter');
  fs.writeFileSync(selected, PYTHON);
  env.E2E_SELECTED = selected;
  return { dir: path.join(path.dirname(ws), 'vscode'), ws, env, selected };
}

/** Connections (any state, any family) that a process has; the sockets of its pipes are none. */
export function connections(pid) {
  const own = new Set(fs.readdirSync(`/proc/${pid}/fd`).map((fd) => {
    try {
      return /^socket:\[(\d+)\]$/.exec(fs.readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1];
    } catch {
      return undefined; // closed meanwhile
    }
  }));
  own.delete(undefined);
  return ['tcp', 'tcp6', 'udp', 'udp6', 'raw', 'raw6'].flatMap((family) => fs.readFileSync(`/proc/${pid}/net/${family}`, 'utf8').split('\n').slice(1)
    .filter((row) => own.has(row.trim().split(/\s+/)[9])).map((row) => `${family} ${row.trim()}`));
}

/** Processes of the server that this code-server's extension started. */
export function serverProcesses(extensions) {
  return fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map(Number).filter((pid) => {
    try {
      return fs.readlinkSync(`/proc/${pid}/exe`).startsWith(extensions) && fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes('server');
    } catch {
      return false; // it ended, or is not ours to look at
    }
  });
}
