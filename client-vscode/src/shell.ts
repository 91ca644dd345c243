/** Words for a shell's prompt. */

/** Quoted for the shell at hand; only what needs it. */
export function quoted(words: readonly string[], shell: string): string {
  const powershell = /(?:pwsh|powershell)(?:\.exe)?$/i.test(shell);
  const cmd = /cmd(?:\.exe)?$/i.test(shell);
  const all = words.map((word) => {
    if (/^[\w./:\\=@%+-]+$/.test(word) && !word.includes('\\')) return word;
    if (cmd) return `"${word.replaceAll('"', '""')}"`;
    if (powershell) return `'${word.replaceAll("'", "''")}'`;
    return `'${word.replaceAll("'", "'\\''")}'`;
  });
  // PowerShell takes a quoted first word for a string, not for a program.
  return (powershell && all[0]?.startsWith("'") ? '& ' : '') + all.join(' ');
}
