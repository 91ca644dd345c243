// Every text that people see exists in both languages, with the same placeholders and the same commands behind links;
// nothing is translated that nobody shows. Exits 1 with a list of what is wrong.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const json = (file) => JSON.parse(fs.readFileSync(path.join(root, file), 'utf8'));
const problems = [];

function* sources(folder) {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) yield* sources(file);
    else if (file.endsWith('.ts')) yield file;
  }
}

// Texts of the code: t('...') and app.t('...') and this.t('...').
const used = new Map();
for (const file of sources(path.join(root, 'src'))) {
  const tree = ts.createSourceFile(file, fs.readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const visit = (node) => {
    if (ts.isCallExpression(node)) {
      const name = ts.isPropertyAccessExpression(node.expression) ? node.expression.name.text : ts.isIdentifier(node.expression) ? node.expression.text : '';
      const [first] = node.arguments;
      if (name === 't' && first) {
        const where = `${path.relative(root, file)}:${tree.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
        if (ts.isStringLiteralLike(first)) used.set(first.text, where);
        // The one call that passes the text through.
        else if (!first.getText().startsWith('message')) problems.push(`${where}: the text must be a literal, so that it can be translated`);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
}

const marks = (text) => [...text.matchAll(/\{\d+\}|\(command:[^)]*\)|`[^`]*`/g)].map(([m]) => m).sort().join(' ');
function compare(where, english, chinese) {
  for (const [key, text] of english) {
    const translated = chinese[key];
    if (typeof translated !== 'string' || translated === '') problems.push(`${where}: not translated: ${key}`);
    else if (marks(text) !== marks(translated)) problems.push(`${where}: placeholders, code or links differ: ${key}\n    ${marks(text)}\n    ${marks(translated)}`);
  }
  const known = new Set(english.map(([key]) => key));
  for (const key of Object.keys(chinese)) if (!known.has(key)) problems.push(`${where}: translated, but never shown: ${key}`);
}
compare('l10n/bundle.l10n.zh-cn.json', [...used.keys()].map((text) => [text, text]), json('l10n/bundle.l10n.zh-cn.json'));

// Texts of package.json.
const nls = json('package.nls.json');
compare('package.nls.zh-cn.json', Object.entries(nls), json('package.nls.zh-cn.json'));
const manifest = fs.readFileSync(path.join(root, 'package.json'), 'utf8');
const referenced = new Set([...manifest.matchAll(/"%([^%"]+)%"/g)].map(([, key]) => key));
for (const key of referenced) if (!(key in nls)) problems.push(`package.nls.json: missing: ${key}`);
for (const key of Object.keys(nls)) if (!referenced.has(key)) problems.push(`package.nls.json: not used: ${key}`);

// What people read in settings and the palette must be translatable.
const { contributes } = JSON.parse(manifest);
for (const [name, setting] of Object.entries(contributes.configuration.properties)) {
  if (!/^%.+%$/.test(setting.markdownDescription ?? '')) problems.push(`${name}: markdownDescription is missing or not translated`);
  if (setting.enum && setting.markdownEnumDescriptions?.length !== setting.enum.length) problems.push(`${name}: every value needs its description`);
}
for (const { command, title, category } of contributes.commands) {
  if (category !== 'Detour' || !/^%.+%$/.test(title)) problems.push(`${command}: needs category "Detour" and a translated title`);
}

if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}
console.log(`${used.size} texts of the code and ${Object.keys(nls).length} of package.json, in both languages`);
