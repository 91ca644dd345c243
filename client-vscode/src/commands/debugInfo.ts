/** What one asks first when something does not work, as Markdown for a bug report. No log text is in it. */
import type { ServerCommand } from '../server/resolve';
import type { Settings } from '../settings';

export interface Facts {
  readonly extension: string;
  readonly editor: string;
  readonly node: string;
  readonly platform: string;
  readonly remote: string | undefined;
  readonly language: string;
  readonly trusted: boolean;
  readonly folders: readonly string[];
  readonly server: ServerCommand | undefined;
  readonly serverRuns: boolean;
  readonly serverVersion: string | undefined;
  readonly interpreter: string | undefined;
  readonly pythonExtensions: readonly string[];
  readonly settings: Settings;
  readonly incidents: number;
  readonly shellIntegration: readonly string[];
}

export function describe(facts: Facts): string {
  const { server } = facts;
  const rows: [string, string][] = [
    ['Extension', facts.extension],
    ['Editor', facts.editor],
    ['Node', facts.node],
    ['Platform', facts.platform],
    ['Remote', facts.remote ?? 'no'],
    ['Language', facts.language],
    ['Workspace trusted', facts.trusted ? 'yes' : 'no'],
    ['Folders', facts.folders.join(', ') || 'none'],
    ['Server', server ? [server.command, ...server.args].join(' ') : 'none'],
    ['Why this one', server ? `${server.why} (${server.origin})` : ''],
    ['Server version', facts.serverVersion ?? server?.version ?? 'unknown'],
    ['Server runs', facts.serverRuns ? 'yes' : 'no'],
    ['Selected interpreter', facts.interpreter ?? 'none known'],
    ['Python extensions', facts.pythonExtensions.join(', ') || 'none'],
    ['Terminals', facts.shellIntegration.join(', ') || 'none'],
    ['Incidents', String(facts.incidents)],
  ];
  const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
  const table = rows.map(([name, value]) => `| ${name} | ${cell(value)} |`).join('\n');
  return `# Detour: debug information\n\n| | |\n|---|---|\n${table}\n\n\`\`\`json\n${JSON.stringify(facts.settings, null, 2)}\n\`\`\`\n`;
}
