// The extension: starts the language server, and carries out the answers of its commands in the editor.
'use strict';

const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');
const { argumentOf, executed } = require('./commands.js');

/** @type {LanguageClient | undefined} */
let client;

/** Whether locant answers all questions about a document. For other documents it only gives locations, because other
 * extensions know more about them. @param {vscode.TextDocument} document */
const isOurs = (document) => /\.(proto|rho)$/.test(document.uri.path);

/** Passes a question on only if the document is one of ours. @type {(document: vscode.TextDocument, ...rest: any[]) => any} */
const onlyOurs = (document, ...rest) => {
  const next = rest.at(-1);
  return isOurs(document) ? next(document, ...rest.slice(0, -1)) : undefined;
};

/** The editor, as the commands use it. @type {import('./commands.js').Editor} */
const editor = {
  async current() {
    const active = vscode.window.activeTextEditor;
    if (!active || !client) return undefined;
    const { document, selection } = active;
    const { code2ProtocolConverter: converter } = client;
    return {
      uri: document.uri.toString(true) === '' ? '' : converter.asUri(document.uri),
      scheme: document.uri.scheme,
      path: document.uri.path,
      query: document.uri.query,
      text: document.getText(),
      selected: document.getText(selection),
      range: converter.asRange(selection),
      position: converter.asPosition(selection.active),
    };
  },
  uriOf: (path) => vscode.Uri.file(path).toString(),
  copy: (text) => vscode.env.clipboard.writeText(text),
  say: (message) => void vscode.window.setStatusBarMessage(message, 5000),
  warn: (message) => void vscode.window.showWarningMessage(message),
  ask: (prompt, value) => vscode.window.showInputBox({ prompt, value }),
  async show(uri, range) {
    if (!client) return;
    const selection = client.protocol2CodeConverter.asRange(range);
    await vscode.window.showTextDocument(vscode.Uri.parse(uri), { selection });
  },
};

/** @param {vscode.ExtensionContext} _context */
exports.activate = async (_context) => {
  const settings = vscode.workspace.getConfiguration('locant');
  const server = { command: settings.get('program', 'locant'), args: ['lsp'] };
  client = new LanguageClient('locant', 'locant', server, {
    documentSelector: [{ scheme: 'file' }, { scheme: 'untitled' }],
    initializationOptions: { protoPath: settings.get('protoPath', []), knowsCommands: true },
    middleware: {
      provideDocumentSymbols: onlyOurs,
      provideFoldingRanges: onlyOurs,
      provideSelectionRanges: onlyOurs,
      provideDefinition: onlyOurs,
      provideHover: onlyOurs,
      provideCompletionItem: onlyOurs,
      async executeCommand(command, given, next) {
        try {
          const argument = await argumentOf(command, given[0], editor);
          if (argument) await executed(command, await next(command, [argument]), editor);
        } catch (error) {
          editor.warn(error instanceof Error ? error.message : String(error));
        }
      },
    },
  });
  await client.start();
};

exports.deactivate = () => client?.stop();
