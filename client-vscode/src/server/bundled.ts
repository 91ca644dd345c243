/** The frozen server that a platform-specific package of the extension carries. */
import { chmod } from 'node:fs/promises';
import path from 'node:path';
import { isExecutable } from './probe';

export const bundledFolder = (extensionPath: string): string => path.join(extensionPath, 'bundled', 'detour');

export async function findBundled(extensionPath: string, platform: NodeJS.Platform): Promise<string | undefined> {
  const file = path.join(bundledFolder(extensionPath), platform === 'win32' ? 'detour.exe' : 'detour');
  if (await isExecutable(file)) return file;
  // Some unpackers lose the bit.
  try {
    await chmod(file, 0o755);
  } catch {
    return undefined;
  }
  return (await isExecutable(file)) ? file : undefined;
}
