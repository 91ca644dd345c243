/** The current incidents, grouped as the tree shows them: by record, the worst and the most frequent first. */
import type { Incident } from '../protocol';
import type { Translate } from './translate';

export interface Group {
  readonly kind: 'group';
  readonly record: string;
  readonly title: string;
  readonly level: string;
  readonly tier: string;
  readonly count: number;
  readonly incidents: readonly IncidentNode[];
}

export interface IncidentNode {
  readonly kind: 'incident';
  readonly incident: Incident;
}

const SEVERITY: readonly string[] = ['error', 'warning', 'symptom'];
const severity = (level: string): number => {
  const rank = SEVERITY.indexOf(level);
  return rank < 0 ? SEVERITY.length : rank;
};

export function groupIncidents(incidents: readonly Incident[]): Group[] {
  const byRecord = new Map<string, Incident[]>();
  for (const incident of incidents) byRecord.set(incident.record, [...(byRecord.get(incident.record) ?? []), incident]);
  const groups = [...byRecord].map(([record, list]): Group => {
    const worst = list.reduce((a, b) => (severity(b.level) < severity(a.level) ? b : a));
    return {
      kind: 'group',
      record,
      title: worst.title || record,
      level: worst.level,
      tier: worst.tier,
      count: list.reduce((sum, i) => sum + Math.max(1, i.count), 0),
      incidents: list.map((incident) => ({ kind: 'incident', incident })),
    };
  });
  return groups.sort((a, b) => severity(a.level) - severity(b.level) || b.count - a.count || a.record.localeCompare(b.record));
}

/** `0–3, 7`: sixty-four ranks that failed alike are one short text. */
export function foldRanks(ranks: readonly number[]): string {
  const sorted = [...new Set(ranks)].sort((a, b) => a - b);
  const spans: [number, number][] = [];
  for (const rank of sorted) {
    const last = spans.at(-1);
    if (last?.[1] === rank - 1) last[1] = rank;
    else spans.push([rank, rank]);
  }
  return spans.map(([from, to]) => (from === to ? `${from}` : to === from + 1 ? `${from}, ${to}` : `${from}–${to}`)).join(', ');
}

const baseName = (file: string): string => file.split(/[\\/]/).at(-1) ?? file;

export function incidentLabel({ incident }: IncidentNode, t: Translate): string {
  const { frame, file, line, source } = incident;
  if (frame) {
    const [uri = ''] = frame.uri.split('#');
    const name = baseName(decodeURIComponent(uri));
    // The part behind the # of a cell's URI is for machines.
    return frame.uri.startsWith('vscode-notebook-cell:') ? t('{0}, line {1} of the cell', name, frame.line) : `${name}:${frame.line}`;
  }
  if (source.kind === 'log' && file !== null && line !== null) return `${baseName(file)}:${line}`;
  return source.name === '' ? t('no place in your code') : source.name;
}

export function incidentDescription({ incident }: IncidentNode, t: Translate): string {
  const parts: string[] = [];
  if (incident.ranks.length === 1) parts.push(t('rank {0}', foldRanks(incident.ranks)));
  else if (incident.ranks.length > 1) parts.push(t('ranks {0}', foldRanks(incident.ranks)));
  // One time per rank is what the ranks say already.
  if (incident.count > 1 && incident.count !== incident.ranks.length) parts.push(t('{0} times', incident.count));
  parts.push(sourceLabel(incident, t));
  return parts.join(' · ');
}

export function sourceLabel({ source, file }: Incident, t: Translate): string {
  const name = baseName(source.name);
  switch (source.kind) {
    case 'terminal': return name === '' ? t('terminal') : t('terminal: {0}', name);
    case 'task': return t('task: {0}', name);
    case 'debug': return t('debug console: {0}', name);
    case 'notebook': return t('notebook: {0}', name);
    case 'text': return t('text: {0}', name);
    case 'log': return baseName(file ?? source.name);
  }
}

/** Squeezes what may be a page of text into one line for lists. */
export function firstLine(text: string, most = 160): string {
  const line = text.split('\n').find((l) => l.trim() !== '')?.trim() ?? '';
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}
