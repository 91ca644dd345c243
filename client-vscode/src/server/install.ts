/**
 * A package without a frozen server (for platforms that have none) carries the wheel of detour-lsp instead. It goes into
 * an environment of the extension's own, made by commands that the user sees in a terminal and starts with Enter: what it
 * needs is downloaded from the package index, and nothing here uses the network unasked.
 */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type * as vscode from 'vscode';
import { quoted } from '../shell';
import { isExecutable } from './probe';

export interface Wheel {
  readonly file: string;
  /** The environment that it belongs in: another version of the extension has another one. */
  readonly environment: string;
}

export async function findWheel(extensionPath: string, storage: string): Promise<Wheel | undefined> {
  const folder = path.join(extensionPath, 'wheel');
  let names: string[];
  try {
    names = await readdir(folder);
  } catch {
    return undefined;
  }
  const name = names.find((n) => n.endsWith('.whl'));
  if (name === undefined) return undefined;
  return { file: path.join(folder, name), environment: path.join(storage, name.split('-').slice(0, 2).join('-')) };
}

const inside = (environment: string, program: string, platform: NodeJS.Platform): string =>
  platform === 'win32' ? path.join(environment, 'Scripts', `${program}.exe`) : path.join(environment, 'bin', program);

/** `detour` of the extension's own environment, once it has been made. */
export async function findInstalled(wheel: Wheel | undefined, platform: NodeJS.Platform): Promise<string | undefined> {
  if (!wheel) return undefined;
  const file = inside(wheel.environment, 'detour', platform);
  return (await isExecutable(file)) ? file : undefined;
}

/** Two commands for a shell; the second is only worth trying when the first went well, and says so itself if not. */
export function installCommands(wheel: Wheel, python: string, shell: string, platform: NodeJS.Platform): [string, string] {
  return [
    quoted([python, '-m', 'venv', wheel.environment], shell),
    quoted([inside(wheel.environment, 'python', platform), '-m', 'pip', 'install', wheel.file], shell),
  ];
}

type Window = Pick<typeof vscode.window, 'createTerminal' | 'onDidChangeTerminalShellIntegration' | 'onDidEndTerminalShellExecution' | 'onDidCloseTerminal'>;

/** A shell shows its prompt well before this; one without integration never says so. */
const PROMPT_MS = 3000;

/** Types the commands, and calls `done` when what was typed has ended well: there may be a server now. */
export function prepareInstallation(window: Window, commands: readonly [string, string], shell: string, done: () => void, promptMs = PROMPT_MS): void {
  const terminal = window.createTerminal({ name: 'detour install' });
  let typed = false;
  const type = (): void => {
    if (typed) return;
    typed = true;
    // Windows PowerShell has no `&&`.
    terminal.sendText(commands.join(/powershell(?:\.exe)?$/i.test(shell) ? '; ' : ' && '), false);
  };
  const timer = setTimeout(type, promptMs);
  const disposables = [
    { dispose: () => { clearTimeout(timer); } },
    window.onDidChangeTerminalShellIntegration((event) => { if (event.terminal === terminal) type(); }),
    window.onDidEndTerminalShellExecution((event) => { if (event.terminal === terminal && event.exitCode === 0) done(); }),
    window.onDidCloseTerminal((closed) => {
      if (closed === terminal) for (const d of disposables) d.dispose();
    }),
  ];
  terminal.show();
}
