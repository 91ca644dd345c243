/** Ids of runs, and what is worth knowing of a run's text before it is sent. */

let last = 0;

/** Unique while this extension host lives; the server keeps runs apart by it. */
export function nextExecutionId(): string {
  last += 1;
  return `${Date.now().toString(36)}-${last}`;
}

/** Escape sequences (OSC such as VS Code's own 633 marks, CSI such as `clear`'s, charsets): no text of the program. */
// eslint-disable-next-line no-control-regex
const ESCAPES = /\u001b(?:\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\[[0-?]*[ -/]*[@-~]|[()][A-Z0-9]|[=>78])/g;

/** IPython colours every word of a stack; nothing is lost with the colours, and the text is half as long. */
// eslint-disable-next-line no-control-regex
export const withoutColours = (text: string): string => text.replace(/\u001b\[[0-9;:]*m/g, '');

/** Whether a person would have seen something. */
export const hasText = (data: string): boolean => data.replace(ESCAPES, '').trim() !== '';
