/** `vscode.l10n.t`, as modules that run without VS Code take it. */
export type Translate = (message: string, ...args: (string | number)[]) => string;

/** English, for tests and for texts that are never shown. */
export const untranslated: Translate = (message, ...args) => message.replace(/\{(\d+)\}/g, (_, i: string) => String(args[Number(i)] ?? ''));
