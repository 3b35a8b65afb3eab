// Starts `preadmit lsp` for the open folders.
import * as vscode from 'vscode';
import { LanguageClient } from 'vscode-languageclient/node';

/** @type {LanguageClient | undefined} */
let client;

/** @param {vscode.ExtensionContext} context */
export async function activate(context) {
  context.subscriptions.push(vscode.commands.registerCommand('preadmit.restart', restart));
  await start();
}

export async function deactivate() {
  await client?.stop();
}

async function restart() {
  await client?.stop();
  await start();
}

async function start() {
  const [command, ...args] = vscode.workspace.getConfiguration('preadmit').get('command', ['preadmit', 'lsp']);
  if (command === undefined) return;
  client = new LanguageClient(
    'preadmit',
    'Preadmit',
    { command, args },
    {
      documentSelector: [
        { scheme: 'file', language: 'yaml' },
        { scheme: 'file', language: 'json' },
      ],
      synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher('**/*.{yaml,yml,json}') },
    },
  );
  try {
    await client.start();
  } catch (error) {
    void vscode.window.showErrorMessage(`preadmit: ${error instanceof Error ? error.message : String(error)}`);
  }
}
