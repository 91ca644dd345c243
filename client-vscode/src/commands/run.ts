/** "Run Current File with detour run": the program runs unchanged in a terminal, and the card stands below a failure. */
import type { App } from '../app';
import type { ServerCommand } from '../server/resolve';

export async function runFile(app: App): Promise<void> {
  const { window, env, workspace } = app.editor;
  const document = window.activeTextEditor?.document;
  if (document?.languageId !== 'python' || document.uri.scheme !== 'file') {
    void window.showInformationMessage(app.t('Open a Python file first.'));
    return;
  }
  const detour = app.serverCommand();
  if (!detour) {
    void window.showWarningMessage(app.t('The server of Detour does not run.'));
    return;
  }
  await document.save();
  const python = (await app.interpreter()) ?? (process.platform === 'win32' ? 'python' : 'python3');
  const cwd = workspace.getWorkspaceFolder(document.uri)?.uri;
  const terminal = window.terminals.find((t) => t.name === 'detour run' && t.exitStatus === undefined) ?? window.createTerminal({ name: 'detour run', ...(cwd ? { cwd } : {}) });
  terminal.show(true);
  terminal.sendText(commandLine([...runWith(detour), '--', python, document.uri.fsPath], env.shell));
}

/** `detour run`, spoken by the same program that serves. */
export function runWith({ command, args }: ServerCommand): string[] {
  return [command, ...args.slice(0, args.indexOf('server')), 'run'];
}

/** Quoted for the shell at hand; only what needs it. */
export function commandLine(words: readonly string[], shell: string): string {
  const powershell = /(?:pwsh|powershell)(?:\.exe)?$/i.test(shell);
  const cmd = /cmd(?:\.exe)?$/i.test(shell);
  const quoted = words.map((word) => {
    if (/^[\w./:\\=@%+-]+$/.test(word) && !word.includes('\\')) return word;
    if (cmd) return `"${word.replaceAll('"', '""')}"`;
    if (powershell) return `'${word.replaceAll("'", "''")}'`;
    return `'${word.replaceAll("'", "'\\''")}'`;
  });
  // PowerShell takes a quoted first word for a string, not for a program.
  return (powershell && quoted[0]?.startsWith("'") ? '& ' : '') + quoted.join(' ');
}
