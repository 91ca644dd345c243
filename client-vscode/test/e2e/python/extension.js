// `environments` of the Python extension's API: which interpreter is selected stands in a file, and changes are told.
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const vscode = require('vscode');

exports.activate = function activate(context) {
  const { E2E_SELECTED: file } = process.env;
  const changed = new vscode.EventEmitter();
  const watcher = fs.watch(path.dirname(file), (_, name) => {
    if (name === path.basename(file)) changed.fire({ path: selected() });
  });
  context.subscriptions.push(changed, { dispose: () => watcher.close() });
  const selected = () => fs.readFileSync(file, 'utf8').trim();
  return {
    environments: {
      getActiveEnvironmentPath: () => ({ id: selected(), path: selected() }),
      resolveEnvironment: async (environment) => ({ ...environment, executable: { uri: vscode.Uri.file(environment.path) } }),
      onDidChangeActiveEnvironmentPath: changed.event,
    },
  };
};
