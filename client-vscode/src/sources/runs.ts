/** Ids of runs, and what is worth knowing of a run's text before it is sent. */

let last = 0;

/** Unique while this extension host lives; the server keeps runs apart by it. */
export function nextExecutionId(): string {
  last += 1;
  return `${Date.now().toString(36)}-${last}`;
}

/** `ESC ] 633 ; ... BEL`: VS Code's own marks, which are no output of the program. */
// eslint-disable-next-line no-control-regex
const MARKS = /\u001b\]633;[^\u0007\u001b]*(?:\u0007|\u001b\\)/g;

export const hasText = (data: string): boolean => data.replace(MARKS, '').trim() !== '';
