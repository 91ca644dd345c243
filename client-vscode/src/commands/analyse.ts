/** "Analyse ...": a person has text with an error in it, and Detour says what it is. */
import type * as vscode from 'vscode';
import { needServer, type App } from '../app';
import { testMessageText, type Origin } from '../sources/text';

type Command = (...args: unknown[]) => unknown;

export function analyseCommands(app: App): Record<string, Command> {
  return {
    'detour.analyzeClipboard': async () => analyse(app, 'clipboard', await app.editor.env.clipboard.readText(), app.t('The clipboard holds no text.')),
    'detour.analyzeSelection': () => analyse(app, 'selection', selectedText(app.editor.window.activeTextEditor), app.t('Nothing is selected in the editor.')),
    'detour.analyzeTerminalSelection': async () => analyse(app, 'terminal selection', await terminalText(app), app.t('Nothing is selected in the terminal, and it has no last command to read.')),
    'detour.analyzeTestFailure': (argument) => analyse(app, 'test', testMessageText(argument), app.t('Use this on the message of a failed test.')),
  };
}

async function analyse(app: App, origin: Origin, text: string, nothing: string): Promise<void> {
  const { window, commands } = app.editor;
  if (text.trim() === '') {
    void window.showInformationMessage(nothing);
    return;
  }
  if (!needServer(app)) return;
  const found = await window.withProgress(
    { location: { viewId: 'detour.incidents' } },
    () => app.texts.analyse(origin, text),
  );
  const first = found[0];
  if (!first) {
    void window.showInformationMessage(app.t('Detour knows no error in this text ({0} lines).', text.split('\n').length));
    return;
  }
  if (origin === 'terminal selection') app.unseen.clear();
  await commands.executeCommand('detour.incidents.focus');
  await app.cards.show({ key: first.key, record: first.record });
}

function selectedText(editor: vscode.TextEditor | undefined): string {
  return editor?.selections.map((selection) => editor.document.getText(selection)).join('\n') ?? '';
}

/** VS Code lets nobody read a terminal's selection; copying it and giving the clipboard back does. */
async function terminalText(app: App): Promise<string> {
  const { commands, env } = app.editor;
  const kept = await env.clipboard.readText();
  await env.clipboard.writeText('');
  try {
    await commands.executeCommand('workbench.action.terminal.copySelection');
    const selected = await env.clipboard.readText();
    if (selected.trim() !== '') return selected;
    await commands.executeCommand('workbench.action.terminal.copyLastCommandOutput');
    return await env.clipboard.readText();
  } finally {
    await env.clipboard.writeText(kept);
  }
}
