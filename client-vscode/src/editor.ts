/**
 * The one place that loads `vscode`. Every other module takes the part of it that it needs as a value
 * and imports only types, so that it can be tested in plain Node.
 */
import * as vscode from 'vscode';

export type Editor = typeof vscode;

export const editor: Editor = vscode;
