// The platforms of packages, and which of them this machine is.

/** Each with the machine that builds it; `.github/workflows/package.yml` has the same list. */
export const TARGETS = {
  'linux-x64': 'a Linux on x64 (with the oldest glibc that is to be supported)',
  'linux-arm64': 'a Linux on arm64',
  'alpine-x64': 'an Alpine Linux on x64',
  'darwin-x64': 'a Mac with an Intel processor',
  'darwin-arm64': 'a Mac with Apple silicon',
  'win32-x64': 'a Windows on x64',
};

/** Without a frozen server: for every platform that has none of the packages above. */
export const UNIVERSAL = 'universal';

/** @param {{ platform: string, arch: string, musl: boolean }} machine */
export function targetOf({ platform, arch, musl }) {
  if (platform === 'linux' && musl) return `alpine-${arch}`;
  return `${platform}-${arch}`;
}

export const here = () => targetOf({
  platform: process.platform,
  arch: process.arch,
  // Node built for musl reports no glibc.
  musl: process.platform === 'linux' && process.report.getReport().header.glibcVersionRuntime === undefined,
});

/** Why `wanted` cannot be built on `machine`, or undefined when it can. */
export function refusal(wanted, machine) {
  const known = [...Object.keys(TARGETS), UNIVERSAL];
  if (!known.includes(wanted)) return `unknown target ${wanted}; known are ${known.join(', ')}`;
  if (wanted === UNIVERSAL || wanted === machine) return undefined;
  return [
    `detour-${wanted}.vsix cannot be built on ${machine}: PyInstaller freezes the server with the Python and the libraries of the machine it runs on, for no other.`,
    `Run the same command on ${TARGETS[wanted]}, or let .github/workflows/package.yml build every platform on a runner of its own.`,
    `A package without a server, for any platform that has a Python: npm run package -- --target ${UNIVERSAL}`,
  ].join('\n');
}
