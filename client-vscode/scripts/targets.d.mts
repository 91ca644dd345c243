export const TARGETS: Readonly<Record<string, string>>;
export const UNIVERSAL: string;
export function targetOf(machine: { platform: string; arch: string; musl: boolean }): string;
export function here(): string;
export function refusal(wanted: string, machine: string): string | undefined;
