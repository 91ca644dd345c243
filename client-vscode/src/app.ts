/** What the commands and views share; made once, at activation. */
import type * as vscode from 'vscode';
import type { Editor } from './editor';
import type { Outbox } from './outbox';
import type { Server } from './protocol';
import type { ServerCommand } from './server/resolve';
import type { Settings } from './settings';
import type { TextSource } from './sources/text';
import type { Cards } from './views/card';
import type { IncidentStore } from './views/incidentStore';
import type { Translate } from './views/translate';
import type { UnseenRuns } from './views/unseen';

export interface App {
  readonly editor: Editor;
  readonly t: Translate;
  readonly log: vscode.LogOutputChannel;
  readonly serverLog: vscode.LogOutputChannel;
  readonly store: IncidentStore;
  readonly unseen: UnseenRuns;
  readonly outbox: Outbox;
  readonly texts: TextSource;
  readonly cards: Cards;
  readonly settings: () => Settings;
  readonly server: () => Server | undefined;
  readonly serverCommand: () => ServerCommand | undefined;
  readonly interpreter: () => Promise<string | undefined>;
  readonly restart: () => Promise<void>;
  readonly toggleHints: () => Promise<void>;
}

/** The running server, or a message that says what to do. */
export function needServer(app: App): Server | undefined {
  const server = app.server();
  if (!server) {
    const restart = app.t('Restart Server');
    void app.editor.window.showWarningMessage(app.t('The server of Detour does not run.'), restart).then((answer) => {
      if (answer === restart) void app.restart();
    });
  }
  return server;
}
