// What the server answered as text, as read-only documents: nothing to save, nothing left behind in the window.
import * as vscode from 'vscode'
import type { Shown } from './client'

const SCHEME = 'echolot-answer'

export class Answers implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly texts = new Map<string, string>()
  private readonly changed = new vscode.EventEmitter<vscode.Uri>()
  private readonly provider = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this)
  readonly onDidChange = this.changed.event

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? 'This answer is no longer kept. Run the command again.\n'
  }

  /** Shows an answer beside the source: a document that the server keeps (it follows the source), a Markdown preview, else its text. */
  async show(answer: Shown): Promise<void> {
    if (answer.language === 'markdown') return void (await vscode.commands.executeCommand('markdown.showPreviewToSide', this.keep(answer, 'md')))
    const uri = answer.uri ? vscode.Uri.parse(answer.uri) : this.keep(answer, answer.language ?? 'txt')
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { viewColumn: vscode.ViewColumn.Beside, preview: true })
  }

  dispose(): void {
    this.provider.dispose()
    this.changed.dispose()
  }

  /** Keeps an answer under its title: the next one of that title takes its place. */
  private keep(answer: Shown, ending: string): vscode.Uri {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${answer.title.replace(/[\\/?#]/g, ' ').slice(0, 80).replace(/[\s.?!]+$/, '')}.${ending}` })
    this.texts.set(uri.toString(), answer.text ?? '')
    this.changed.fire(uri)
    return uri
  }
}
