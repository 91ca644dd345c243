/** A command on an incident gets it from the tree, or asks for one when it comes from the palette. */
import type * as vscode from 'vscode';
import type { App } from '../app';
import type { Incident } from '../protocol';
import { cardTarget } from '../views/card';
import { firstLine, incidentDescription, incidentLabel } from '../views/incidentList';

interface Pick extends vscode.QuickPickItem {
  readonly incident: Incident;
}

/** The incident that a command's argument names, without asking. */
export function namedIncident(app: App, argument: unknown): Incident | undefined {
  const target = cardTarget(argument);
  if (!target) return undefined;
  if (target.key !== undefined) return app.store.byKey(target.key);
  return app.store.incidents.find((incident) => incident.record === target.record);
}

export async function pickIncident(app: App, argument: unknown, placeHolder: string): Promise<Incident | undefined> {
  const named = namedIncident(app, argument);
  if (named) return named;
  const { incidents } = app.store;
  if (incidents.length === 0) {
    void app.editor.window.showInformationMessage(app.t('Detour has recognised no error so far.'));
    return undefined;
  }
  if (incidents.length === 1) return incidents[0];
  const items = incidents.map((incident): Pick => {
    const node = { kind: 'incident', incident } as const;
    return { label: incident.title, description: incidentLabel(node, app.t), detail: `${firstLine(incident.message, 100)} — ${incidentDescription(node, app.t)}`, incident };
  });
  return (await app.editor.window.showQuickPick(items, { placeHolder, matchOnDescription: true, matchOnDetail: true }))?.incident;
}
