/** Commands for getting to know Detour and for finding out why it does not work. */
import type { App } from '../app';
import { describe, type Facts } from './debugInfo';

type Command = (...args: unknown[]) => unknown;

/** A dead end that somebody has really taken: a limit of 0 does not lift the limit, it switches compilation off. */
const EXAMPLE = `import torch
import torch._dynamo

# Somebody wanted "no limit" here. Hover the next line to see what it really does, and use the quick fix.
torch._dynamo.config.recompile_limit = 0

model = torch.compile(torch.nn.Linear(4, 4))
for size in range(1, 20):
    model(torch.randn(size, 4))
`;

export function helpCommands(app: App, extensionId: string, facts: () => Promise<Facts>): Record<string, Command> {
  const { commands, env, window, workspace } = app.editor;
  return {
    'detour.openExample': async () => {
      await window.showTextDocument(await workspace.openTextDocument({ language: 'python', content: EXAMPLE }), { preview: false });
    },
    'detour.openWalkthrough': () => commands.executeCommand('workbench.action.openWalkthrough', `${extensionId}#start`, false),
    'detour.restart': () => app.restart(),
    'detour.showClientLog': () => { app.log.show(true); },
    'detour.showServerLog': () => { app.serverLog.show(true); },
    'detour.toggleHints': () => app.toggleHints(),
    'detour.debugInfo': async () => {
      const text = describe(await facts());
      app.log.info(text);
      await window.showTextDocument(await workspace.openTextDocument({ language: 'markdown', content: text }), { preview: true });
      const copy = app.t('Copy');
      const answer = await window.showInformationMessage(app.t('Look through the debug information before you pass it on: it names paths of this machine.'), copy);
      if (answer === copy) await env.clipboard.writeText(text);
    },
  };
}
