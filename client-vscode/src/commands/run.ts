/** "Run Current File with detour run": the program runs unchanged in a terminal, and the card stands below a failure. */
import type { App } from '../app';
import type { ServerCommand } from '../server/resolve';
import { quoted } from '../shell';

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
  terminal.sendText(quoted([...runWith(detour), '--', python, document.uri.fsPath], env.shell));
}

/** `detour run`, spoken by the same program that serves. */
export function runWith({ command, args }: ServerCommand): string[] {
  return [command, ...args.slice(0, args.indexOf('server')), 'run'];
}
