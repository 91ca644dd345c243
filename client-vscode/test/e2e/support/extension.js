// What other people's extensions bring in real life: a debug adapter, a notebook kernel, a test controller.
'use strict';
const crypto = require('node:crypto');
const fs = require('node:fs');
const vscode = require('vscode');

exports.activate = function activate(context) {
  const { E2E_PYTHON: python, E2E_RUNS: runsFile } = process.env;
  const { runs } = JSON.parse(fs.readFileSync(runsFile, 'utf8'));

  context.subscriptions.push(vscode.debug.registerDebugAdapterDescriptorFactory('e2e-debugpy', {
    createDebugAdapterDescriptor: () => new vscode.DebugAdapterExecutable(python, ['-m', 'debugpy.adapter']),
  }));

  // Cells are replayed: what IPython printed for exactly this text when it was run under real torch.
  const kernel = vscode.notebooks.createNotebookController('e2e-kernel', 'jupyter-notebook', 'Stored runs');
  kernel.supportedLanguages = ['python'];
  const prefer = (notebook) => kernel.updateNotebookAffinity(notebook, vscode.NotebookControllerAffinity.Preferred);
  vscode.workspace.notebookDocuments.forEach(prefer);
  context.subscriptions.push(vscode.workspace.onDidOpenNotebookDocument(prefer));
  let order = 0;
  kernel.executeHandler = async (cells) => {
    for (const cell of cells) {
      const run = runs[crypto.createHash('sha256').update(cell.document.getText()).digest('hex')];
      const execution = kernel.createNotebookCellExecution(cell);
      order += 1;
      execution.executionOrder = order;
      execution.start(Date.now());
      await execution.clearOutput();
      const text = (mime, value) => new vscode.NotebookCellOutput([vscode.NotebookCellOutputItem.text(value, mime)]);
      // Each cell was recorded as the first of its session; here it is the one that its number says.
      const numbered = (value) => value.replaceAll('In[1]', `In[${order}]`).replaceAll('<ipython-input-1-', `<ipython-input-${order}-`);
      if (run?.stderr) await execution.appendOutput(new vscode.NotebookCellOutput([vscode.NotebookCellOutputItem.stderr(numbered(run.stderr))]));
      if (!run) await execution.appendOutput(text('text/plain', 'this text has no stored run'));
      else if (run.error) await execution.appendOutput(new vscode.NotebookCellOutput([vscode.NotebookCellOutputItem.error({ ...run.error, stack: numbered(run.error.stack) })]));
      else await execution.appendOutput(text('text/plain', run.result));
      execution.end(Boolean(run && !run.error), Date.now());
    }
  };

  // A folder that is on no disk, as that of a repository on a web site is.
  const text = new TextEncoder().encode(fs.readFileSync(process.env.E2E_VIRTUAL_FILE, 'utf8'));
  const entry = (type, size) => ({ type, ctime: 0, mtime: 0, size });
  const files = new Map([['/limit.py', text]]);
  const changes = new vscode.EventEmitter();
  context.subscriptions.push(vscode.workspace.registerFileSystemProvider('memfs', {
    onDidChangeFile: changes.event,
    watch: () => ({ dispose: () => undefined }),
    stat: ({ path }) => {
      if (path === '/') return entry(vscode.FileType.Directory, 0);
      const file = files.get(path);
      if (!file) throw vscode.FileSystemError.FileNotFound(path);
      return entry(vscode.FileType.File, file.length);
    },
    readDirectory: () => [...files.keys()].map((path) => [path.slice(1), vscode.FileType.File]),
    readFile: ({ path }) => {
      const file = files.get(path);
      if (!file) throw vscode.FileSystemError.FileNotFound(path);
      return file;
    },
    writeFile: (uri, content) => {
      files.set(uri.path, content);
      changes.fire([{ type: vscode.FileChangeType.Changed, uri }]);
    },
    createDirectory: () => undefined,
    delete: ({ path }) => { files.delete(path); },
    rename: () => { throw vscode.FileSystemError.NoPermissions(); },
  }, { isCaseSensitive: true }));

  const tests = vscode.tests.createTestController('e2e-tests', 'Tests');
  const item = tests.createTestItem('merge', 'test_merge_heads', vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, 'train.py'));
  item.range = new vscode.Range(3, 0, 3, 0);
  tests.items.add(item);
  tests.createRunProfile('Run', vscode.TestRunProfileKind.Run, (request) => {
    const run = tests.createTestRun(request);
    run.started(item);
    const failed = Object.values(runs).find((r) => r.program === 'train.py' && r.exit === 1);
    const output = failed.stderr.replaceAll('{file}', item.uri.fsPath);
    run.appendOutput(output.replaceAll('\n', '\r\n'));
    const message = new vscode.TestMessage(output);
    message.location = new vscode.Location(item.uri, new vscode.Position(5, 4));
    run.failed(item, message, 5);
    run.end();
  }, true);
  context.subscriptions.push(kernel, tests);
};
