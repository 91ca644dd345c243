/** The interpreter that the user selected, as the Python Environments or the Python extension tells it; both are optional. */
import type * as vscode from 'vscode';

/** What is used of ms-python.vscode-python-envs. */
interface EnvironmentsApi {
  getEnvironment(scope: vscode.Uri | undefined): Promise<{ execInfo?: { run?: { executable?: string } } } | undefined>;
  onDidChangeEnvironment?: vscode.Event<unknown>;
}

/** What is used of ms-python.python. */
interface PythonApi {
  environments?: {
    getActiveEnvironmentPath(scope?: vscode.Uri): { path: string };
    resolveEnvironment(environment: { path: string }): Promise<{ executable?: { uri?: vscode.Uri } } | undefined>;
    onDidChangeActiveEnvironmentPath?: vscode.Event<unknown>;
  };
}

type Extensions = Pick<typeof vscode.extensions, 'getExtension' | 'onDidChange'>;

export const PYTHON_ENVIRONMENTS = 'ms-python.vscode-python-envs';
export const PYTHON = 'ms-python.python';

export class Interpreters implements vscode.Disposable {
  private readonly disposables: vscode.Disposable[] = [];
  private readonly listening = new Set<string>();

  constructor(private readonly extensions: Extensions, private readonly changed: () => void, private readonly log: (text: string) => void) {
    this.disposables.push(extensions.onDidChange(changed));
  }

  dispose(): void {
    for (const d of this.disposables) d.dispose();
  }

  async selected(scope: vscode.Uri | undefined): Promise<string | undefined> {
    return (await this.fromEnvironments(scope)) ?? (await this.fromPython(scope));
  }

  private async fromEnvironments(scope: vscode.Uri | undefined): Promise<string | undefined> {
    const api = await this.api<EnvironmentsApi>(PYTHON_ENVIRONMENTS);
    if (typeof api?.getEnvironment !== 'function') return undefined;
    this.listen(PYTHON_ENVIRONMENTS, api.onDidChangeEnvironment);
    try {
      return (await api.getEnvironment(scope))?.execInfo?.run?.executable;
    } catch (error) {
      this.log(`${PYTHON_ENVIRONMENTS}: ${String(error)}`);
      return undefined;
    }
  }

  private async fromPython(scope: vscode.Uri | undefined): Promise<string | undefined> {
    const environments = (await this.api<PythonApi>(PYTHON))?.environments;
    if (!environments) return undefined;
    this.listen(PYTHON, environments.onDidChangeActiveEnvironmentPath);
    try {
      const environment = await environments.resolveEnvironment(environments.getActiveEnvironmentPath(scope));
      return environment?.executable?.uri?.fsPath;
    } catch (error) {
      this.log(`${PYTHON}: ${String(error)}`);
      return undefined;
    }
  }

  private async api<T>(id: string): Promise<T | undefined> {
    const extension = this.extensions.getExtension<T>(id);
    if (!extension) return undefined;
    try {
      return extension.isActive ? extension.exports : await extension.activate();
    } catch (error) {
      this.log(`${id} could not be activated: ${String(error)}`);
      return undefined;
    }
  }

  private listen(id: string, event: vscode.Event<unknown> | undefined): void {
    if (this.listening.has(id) || !event) return;
    this.listening.add(id);
    this.disposables.push(event(this.changed));
  }
}
