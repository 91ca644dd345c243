/** Looks at interpreters and PATH without running anything of the workspace: `-I` keeps the folder out of `sys.path`. */
import { execFile } from 'node:child_process';
import { access, constants, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Probe } from './resolve';

const run = promisify(execFile);

const ASK = [
  'import sys',
  'if sys.version_info < (3, 10): sys.exit("Python %d.%d is older than 3.10" % sys.version_info[:2])',
  'from importlib import metadata, util',
  'if util.find_spec("detour_lsp") is None: sys.exit("detour-lsp is not installed there")',
  'print(metadata.version("detour-lsp"))',
].join('\n');

const PROBE_MS = 15_000;

export async function versionOf(interpreter: readonly string[]): Promise<{ version: string } | { reason: string }> {
  const [command, ...args] = interpreter;
  if (command === undefined) return { reason: 'no interpreter' };
  try {
    const { stdout } = await run(command, [...args, '-I', '-c', ASK], { timeout: PROBE_MS, windowsHide: true });
    const version = stdout.trim().split(/\s+/).at(-1) ?? '';
    return version === '' ? { reason: 'it printed no version' } : { version };
  } catch (error) {
    const { stderr, killed, message } = error as { stderr?: string; killed?: boolean; message: string };
    if (killed) return { reason: `no answer within ${PROBE_MS / 1000} seconds` };
    const said = stderr?.trim().split('\n').at(-1);
    return { reason: said === undefined || said === '' ? (message.split('\n')[0] ?? message) : said };
  }
}

/** The first executable of that name on PATH, leaving out `except` (our own directory, which we add for terminals). */
export async function which(name: string, env: NodeJS.ProcessEnv, platform: NodeJS.Platform, except: string | undefined): Promise<string | undefined> {
  const extensions = platform === 'win32' ? (env['PATHEXT'] ?? '.EXE;.CMD;.BAT').split(';') : [''];
  const folders = (env['PATH'] ?? env['Path'] ?? '').split(platform === 'win32' ? ';' : ':').filter((folder) => path.isAbsolute(folder) && folder !== except);
  for (const folder of folders) {
    for (const extension of extensions) {
      const candidate = path.join(folder, name + extension.toLowerCase());
      if (await isExecutable(candidate)) return candidate;
    }
  }
  return undefined;
}

export async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}

export const systemProbe = (except: string | undefined): Probe => ({
  version: versionOf,
  onPath: () => which('detour', process.env, process.platform, except),
});
