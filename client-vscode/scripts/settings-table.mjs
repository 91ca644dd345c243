// Writes the tables of settings and commands into README.md from package.json, between its markers.
//   node scripts/settings-table.mjs [--check]      --check: exit 1 when README.md is stale
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const read = (file) => fs.readFileSync(path.join(root, file), 'utf8');
const { contributes, capabilities } = JSON.parse(read('package.json'));
const nls = JSON.parse(read('package.nls.json'));

const translated = (text) => text.replace(/^%(.+)%$/, (_, key) => nls[key]);
// `#detour.x#` is a link to a setting in VS Code's own pages.
const cell = (text) => translated(text).replaceAll(/`#([^#]+)#`/g, '`$1`').replaceAll('|', '\\|').replaceAll('\n', ' ');

const restricted = new Set(capabilities.untrustedWorkspaces.restrictedConfigurations);
const settings = Object.entries(contributes.configuration.properties).map(([name, s]) => {
  const values = s.enum ? s.enum.map((value, i) => `\`${value}\`: ${cell(s.markdownEnumDescriptions[i])}`).join('<br>') : '';
  const text = [cell(s.markdownDescription), values, restricted.has(name) ? '*Ignored in an untrusted workspace.*' : ''].filter(Boolean).join('<br>');
  return `| \`${name}\` | \`${JSON.stringify(s.default).replaceAll('|', '\\|')}\` | ${text.replace(/(Ignored in an untrusted workspace\.)<br>\*\1\*/, '$1')} |`;
});
const commands = contributes.commands.map(({ title, command, category }) => `| ${category}: ${cell(title)} | \`${command}\` |`);

const tables = {
  settings: ['| setting | default | what it does |', '|---|---|---|', ...settings].join('\n'),
  commands: ['| command | id |', '|---|---|', ...commands].join('\n'),
};

const before = read('README.md');
let after = before;
for (const [name, table] of Object.entries(tables)) {
  const marker = new RegExp(`(<!-- ${name}: [^>]*-->\\n)[^]*?(<!-- /${name} -->)`);
  if (!marker.test(after)) throw new Error(`README.md has no markers for ${name}`);
  after = after.replace(marker, (_, open, close) => `${open}${table}\n${close}`);
}
if (process.argv.includes('--check')) {
  if (after !== before) {
    console.error('README.md is stale: run `npm run readme`');
    process.exit(1);
  }
  console.log(`README.md is fresh: ${settings.length} settings, ${commands.length} commands`);
} else {
  fs.writeFileSync(path.join(root, 'README.md'), after);
}
