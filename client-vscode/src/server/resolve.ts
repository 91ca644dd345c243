/**
 * Which server runs: the one that the user's environment has, so that its version and knowledge are the
 * project's, or the one in this extension, which needs nothing. Nothing of an untrusted workspace is ever started.
 */
import type { ImportStrategy } from '../settings';
import type { Translate } from '../views/translate';

export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly origin: 'setting' | 'environment' | 'path' | 'bundled';
  /** Said in the log and in the debug information. */
  readonly why: string;
  readonly version: string | undefined;
}

export interface Question {
  readonly trusted: boolean;
  readonly importStrategy: ImportStrategy;
  /** `detour.interpreter`: the interpreter and its arguments. */
  readonly interpreter: readonly string[];
  /** What the Python extensions say is selected, if they are there. */
  readonly selected: string | undefined;
  /** The frozen server inside the extension, or the one that the user let it install; if there is one. */
  readonly bundled: string | undefined;
}

export interface Probe {
  /** The version of detour-lsp that the interpreter can import, or why it cannot. */
  version(interpreter: readonly string[]): Promise<{ version: string } | { reason: string }>;
  /** `detour` on PATH. */
  onPath(): Promise<string | undefined>;
}

export type Resolution = { readonly server: ServerCommand; readonly warnings: readonly string[] } | { readonly server: undefined; readonly warnings: readonly string[] };

const SERVE = ['server', '--stdio'];
const module = (interpreter: readonly string[]): Pick<ServerCommand, 'command' | 'args'> => ({
  command: interpreter[0] ?? '',
  args: [...interpreter.slice(1), '-m', 'detour_lsp', ...SERVE],
});

export async function resolveServer(question: Question, probe: Probe, t: Translate): Promise<Resolution> {
  const warnings: string[] = [];
  const bundled = (why: string): Resolution => {
    if (question.bundled === undefined) return { server: undefined, warnings: [...warnings, t('this package of the extension brings no server, and no environment with detour-lsp is selected')] };
    return { server: { command: question.bundled, args: SERVE, origin: 'bundled', why, version: undefined }, warnings };
  };

  if (!question.trusted) return bundled('the workspace is not trusted');
  if (question.interpreter.length > 0) {
    const found = await probe.version(question.interpreter);
    if ('version' in found) return { server: { ...module(question.interpreter), origin: 'setting', why: 'detour.interpreter names it', version: found.version }, warnings };
    warnings.push(t('detour.interpreter ({0}) has no usable detour-lsp: {1}', question.interpreter.join(' '), found.reason));
    return bundled('detour.interpreter could not be used');
  }
  if (question.importStrategy === 'useBundled') return bundled('detour.importStrategy is useBundled');
  if (question.selected !== undefined) {
    const found = await probe.version([question.selected]);
    if ('version' in found) return { server: { ...module([question.selected]), origin: 'environment', why: 'the selected environment has detour-lsp', version: found.version }, warnings };
  }
  const onPath = await probe.onPath();
  if (onPath !== undefined) return { server: { command: onPath, args: SERVE, origin: 'path', why: 'detour is on PATH', version: undefined }, warnings };
  return bundled('the environment has no detour-lsp');
}

export const sameServer = (a: ServerCommand | undefined, b: ServerCommand | undefined): boolean =>
  a === b || (a?.command === b?.command && a?.version === b?.version && a?.args.join('\0') === b?.args.join('\0'));
