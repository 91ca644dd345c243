/** A mark in the gutter and a short text behind the line that failed in the last run. Both can be switched off. */
import type * as vscode from 'vscode';
import type { Editor } from '../editor';
import type { Incident } from '../protocol';
import type { Hints } from '../settings';
import { firstLine } from './incidentList';
import type { IncidentStore } from './incidentStore';

type Parts = Pick<Editor, 'window' | 'Uri' | 'ThemeColor' | 'DecorationRangeBehavior' | 'Range'>;

export interface Hint {
  readonly line: number;
  readonly text: string;
  readonly level: 'error' | 'warning';
}

/** One hint per line of a file, the gravest incident first. Lines count from 0 here, as editors do. */
export function hintsFor(uri: string, lineCount: number, incidents: readonly Incident[]): Hint[] {
  const byLine = new Map<number, Incident[]>();
  for (const incident of incidents) {
    if (incident.frame?.uri !== uri) continue;
    const line = incident.frame.line - 1;
    // The file may have become shorter since the run.
    if (line < 0 || line >= lineCount) continue;
    byLine.set(line, [...(byLine.get(line) ?? []), incident]);
  }
  return [...byLine].map(([line, list]) => {
    const error = list.find((incident) => incident.level === 'error');
    const shown = error ?? list[0];
    const more = new Set(list.map((incident) => incident.record)).size - 1;
    return { line, text: firstLine(shown?.title ?? '', 100) + (more > 0 ? ` (+${more})` : ''), level: error ? 'error' : 'warning' };
  });
}

/** Off, or as before: one step after the other, for a setting takes its time and a second step must see the first. */
export class HintSwitch {
  private last: Promise<void> = Promise.resolve();
  private on: Hints = 'both';

  constructor(private readonly mode: () => Hints, private readonly set: (mode: Hints) => PromiseLike<void>) {}

  toggle(): Promise<void> {
    const step = async (): Promise<void> => {
      const mode = this.mode();
      if (mode !== 'off') this.on = mode;
      await this.set(mode === 'off' ? this.on : 'off');
    };
    // A step that failed is told to whoever asked for it, and does not stop the next one.
    const done = this.last.then(step);
    this.last = done.catch(() => undefined);
    return done;
  }
}

export class HintDecorations implements vscode.Disposable {
  private readonly types: Record<Hint['level'], { gutter: vscode.TextEditorDecorationType; inline: vscode.TextEditorDecorationType }>;
  private readonly disposables: vscode.Disposable[];

  constructor(private readonly parts: Parts, extensionUri: vscode.Uri, private readonly store: IncidentStore, private readonly mode: () => Hints) {
    const kinds = (level: Hint['level'], color: string) => ({
      gutter: parts.window.createTextEditorDecorationType({
        light: { gutterIconPath: parts.Uri.joinPath(extensionUri, 'media', `gutter-${level}-light.svg`) },
        dark: { gutterIconPath: parts.Uri.joinPath(extensionUri, 'media', `gutter-${level}-dark.svg`) },
        gutterIconSize: 'contain',
        overviewRulerColor: new parts.ThemeColor(color),
      }),
      inline: parts.window.createTextEditorDecorationType({
        rangeBehavior: parts.DecorationRangeBehavior.ClosedOpen,
        after: { color: new parts.ThemeColor(color), margin: '0 0 0 3ch', fontStyle: 'italic' },
      }),
    });
    this.types = { error: kinds('error', 'editorError.foreground'), warning: kinds('warning', 'editorWarning.foreground') };
    const draw = (): void => { this.draw(); };
    this.disposables = [store.onChange(draw), parts.window.onDidChangeVisibleTextEditors(draw)];
    draw();
  }

  dispose(): void {
    for (const d of this.disposables) d.dispose();
    for (const { gutter, inline } of Object.values(this.types)) {
      gutter.dispose();
      inline.dispose();
    }
  }

  draw(): void {
    const mode = this.mode();
    for (const editor of this.parts.window.visibleTextEditors) {
      const hints = mode === 'off' ? [] : hintsFor(editor.document.uri.toString(), editor.document.lineCount, this.store.incidents);
      for (const level of ['error', 'warning'] as const) {
        const marked = hints.filter((hint) => hint.level === level).map((hint) => ({ hint, range: editor.document.lineAt(hint.line).range }));
        editor.setDecorations(this.types[level].gutter, mode === 'gutter' || mode === 'both' ? marked.map(({ range }) => range) : []);
        editor.setDecorations(this.types[level].inline, mode === 'inline' || mode === 'both'
          ? marked.map(({ hint, range }) => ({ range: new this.parts.Range(range.end, range.end), renderOptions: { after: { contentText: hint.text } } }))
          : []);
      }
    }
  }
}
