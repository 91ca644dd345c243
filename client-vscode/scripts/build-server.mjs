// Freezes the server with a Python of its own into bundled/detour, for the platform that this runs on.
//   node scripts/build-server.mjs [--force]
// DETOUR_BUILD_PYTHON: the Python (3.10 or newer, built with a shared library) that is frozen; its C library
// decides on which systems the result runs, so release builds use the oldest that is to be supported.
import { execFileSync } from 'node:child_process';
import crypto from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { firstRun } from './first-run.mjs';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const repo = path.join(root, '..');
const build = path.join(root, '.build');
const out = path.join(root, 'bundled', 'detour');
const hooks = path.join(root, 'scripts', 'pyinstaller-hooks');
const windows = process.platform === 'win32';
const PYINSTALLER = 'pyinstaller==6.22.3';

const python = process.env.DETOUR_BUILD_PYTHON ?? findPython();
const stampFile = path.join(out, '.stamp');
const stamp = fingerprint();
if (!process.argv.includes('--force') && fs.existsSync(stampFile) && fs.readFileSync(stampFile, 'utf8') === stamp) {
  console.log('bundled/detour is up to date');
  process.exit(0);
}

const started = Date.now();
const step = (text) => console.log(`[server ${String(Math.round((Date.now() - started) / 1000)).padStart(4)}s] ${text}`);
const run = (command, args, options = {}) => execFileSync(command, args, { stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8', ...options });

const venv = path.join(build, 'venv');
const venvPython = path.join(venv, windows ? 'Scripts/python.exe' : 'bin/python');
const recipe = crypto.createHash('sha256').update(fs.readFileSync(path.join(repo, 'pyproject.toml'))).update(PYINSTALLER).update(python).digest('hex');
const recipeFile = path.join(venv, '.recipe');
if (!fs.existsSync(recipeFile) || fs.readFileSync(recipeFile, 'utf8') !== recipe) {
  step(`venv with ${python}`);
  fs.rmSync(venv, { recursive: true, force: true });
  run(python, ['-m', 'venv', venv]);
  step('pip: detour-lsp with what it needs, pyinstaller');
  run(venvPython, ['-m', 'pip', 'install', '-qq', '--disable-pip-version-check', repo, PYINSTALLER]);
  fs.writeFileSync(recipeFile, recipe);
} else {
  step('pip: detour-lsp');
  run(venvPython, ['-m', 'pip', 'install', '-qq', '--disable-pip-version-check', '--force-reinstall', '--no-deps', repo]);
}

step('pyinstaller');
fs.rmSync(path.join(build, 'dist'), { recursive: true, force: true });
run(venvPython, ['-m', 'PyInstaller', '--noconfirm', '--log-level', 'ERROR', '--onedir', '--name', 'detour', '--noupx',
  '--distpath', path.join(build, 'dist'), '--workpath', path.join(build, 'work'), '--specpath', build,
  // Subcommands and requests are imported by name when they are needed, so nothing but this finds them.
  '--collect-submodules', 'detour_lsp', '--collect-data', 'detour_lsp', '--copy-metadata', 'detour-lsp',
  '--collect-submodules', 'pygments.lexers.python', '--additional-hooks-dir', hooks,
  ...['tkinter', 'unittest', 'pydoc', 'doctest', 'lib2to3', 'distutils', 'setuptools', 'pip', 'test', 'sqlite3', 'curses'].flatMap((m) => ['--exclude-module', m]),
  ...(windows ? [] : ['--strip']),
  path.join(root, 'scripts', 'frozen-entry.py')], { cwd: build });

fs.rmSync(out, { recursive: true, force: true });
fs.mkdirSync(path.dirname(out), { recursive: true });
fs.renameSync(path.join(build, 'dist', 'detour'), out);
const exe = path.join(out, windows ? 'detour.exe' : 'detour');

step('a first run');
const version = run(exe, ['--version']).trim();
const { answered, ready, marked, records } = await firstRun(exe, ['server', '--stdio']);
writeLicences();
fs.writeFileSync(stampFile, stamp);
step(`${version}, ${records} records, answers after ${answered} ms, ready after ${ready} ms, first diagnostic after ${marked} ms: ${path.relative(root, exe)}, ${(folderSize(out) / 1e6).toFixed(1)} MB`);

/** The frozen folder holds other people's work: their names and licences go with it. */
function writeLicences() {
  const list = [
    'import json',
    'from importlib import metadata',
    'def licence(m):',
    '    said = m.get("License-Expression") or (m.get("License") or "").splitlines()[:1] or [c.split(" :: ")[-1] for c in m.get_all("Classifier", []) if c.startswith("License")]',
    '    return said if isinstance(said, str) else ", ".join(said)',
    'print(json.dumps(sorted({(d.metadata["Name"], d.version, licence(d.metadata), d.metadata.get("Home-page") or "") for d in metadata.distributions()})))',
  ].join('\n');
  const notFrozen = new Set(['pip', 'setuptools', 'pyinstaller', 'pyinstaller-hooks-contrib', 'altgraph', 'detour-lsp']);
  const rows = JSON.parse(run(venvPython, ['-c', list])).filter(([name]) => !notFrozen.has(name.toLowerCase()));
  const text = ['# Third-party software in this package', '',
    `The server is frozen with CPython ${run(venvPython, ['-c', 'import platform; print(platform.python_version())']).trim()} (PSF-2.0) by PyInstaller (its bootloader may be distributed under any licence), and carries:`, '',
    '| package | version | licence |', '|---|---|---|', ...rows.map(([name, version, licence]) => `| ${name} | ${version} | ${licence.replaceAll('|', '/')} |`), '',
    'The extension itself carries vscode-languageclient (MIT) and minimatch (BlueOak-1.0.0) with their dependencies; see the end of dist/extension.js.', ''].join('\n');
  fs.writeFileSync(path.join(out, 'THIRD_PARTY.md'), text);
}

function findPython() {
  const candidates = windows ? ['python'] : ['python3.11', 'python3.12', 'python3.13', 'python3.10', 'python3'];
  for (const candidate of candidates) {
    try {
      const ok = execFileSync(candidate, ['-c', 'import sys, sysconfig; print(sys.version_info >= (3, 10) and (sys.platform != "linux" or sysconfig.get_config_var("Py_ENABLE_SHARED") == 1))'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
      if (ok.trim() === 'True') return candidate;
    } catch { /* not there, or a shim without a version */ }
  }
  throw new Error('no Python 3.10 or newer with a shared library was found; set DETOUR_BUILD_PYTHON');
}

/** Everything that the frozen folder is made of. */
function fingerprint() {
  const hash = crypto.createHash('sha256');
  const add = (folder) => {
    for (const entry of fs.readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const file = path.join(folder, entry.name);
      if (entry.isDirectory()) {
        if (entry.name !== '__pycache__') add(file);
      } else if (entry.isFile()) hash.update(path.relative(repo, file)).update(fs.readFileSync(file));
    }
  };
  add(path.join(repo, 'server'));
  add(path.join(repo, 'seeds'));
  for (const file of [path.join(repo, 'pyproject.toml'), fileURLToPath(import.meta.url), path.join(root, 'scripts', 'frozen-entry.py'), ...fs.readdirSync(hooks).filter((name) => name.endsWith('.py')).sort().map((name) => path.join(hooks, name))]) hash.update(fs.readFileSync(file));
  return hash.update(`${process.platform} ${process.arch} ${os.release().split('.')[0]} ${python}`).digest('hex');
}

function folderSize(folder) {
  let bytes = 0;
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    bytes += entry.isDirectory() ? folderSize(file) : fs.statSync(file).size;
  }
  return bytes;
}
