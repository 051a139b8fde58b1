// The card "how a model sees this server" in a webview: the server's page, spoken to by messages, without a port.
import { randomBytes } from 'node:crypto'
import * as vscode from 'vscode'
import type { Connection, Shown } from './client'

interface CardState {
  uri: string
  server?: string
}

type PageMessage = { type: string; text?: string; path?: string; range?: { start: { line: number; character: number } } }

export class Cards implements vscode.WebviewPanelSerializer {
  private readonly panels = new Map<string, { panel: vscode.WebviewPanel; state: CardState }>()

  constructor(private readonly connection: () => Promise<Connection | undefined>) {}

  async open(state: CardState): Promise<void> {
    const known = this.panels.get(key(state))
    if (known) return known.panel.reveal()
    const panel = vscode.window.createWebviewPanel('echolot.card', 'How a model sees this server', vscode.ViewColumn.Beside, {})
    await this.show(panel, state)
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel, saved: { echolot?: CardState } | undefined): Promise<void> {
    if (saved?.echolot?.uri) await this.show(panel, saved.echolot)
    else panel.dispose()
  }

  /** The report of a document has changed: its cards draw themselves anew. */
  async refresh(uri: string): Promise<void> {
    for (const { panel, state } of this.panels.values()) if (state.uri === uri) await this.pass(panel, state, { type: 'refresh' })
  }

  private async show(panel: vscode.WebviewPanel, state: CardState): Promise<void> {
    this.panels.set(key(state), { panel, state })
    panel.onDidDispose(() => this.panels.delete(key(state)))
    panel.webview.options = { enableScripts: true, localResourceRoots: [] }
    panel.webview.onDidReceiveMessage((message: PageMessage) => this.receive(panel, state, message))
    const connection = await this.connection()
    if (!connection) {
      panel.webview.html = '<!doctype html><title>Echolot</title><p>Echolot’s language server is not running.</p>'
      return
    }
    const nonce = randomBytes(16).toString('base64')
    try {
      const page = await connection.run<Shown>('openCard', { ...state, mode: 'webview', nonce })
      panel.title = page.title
      panel.webview.html = secured(page.text ?? '', nonce, panel.webview.cspSource, state)
    } catch (error) {
      panel.dispose()
      void vscode.window.showWarningMessage((error as Error).message)
    }
  }

  private async receive(panel: vscode.WebviewPanel, state: CardState, message: PageMessage): Promise<void> {
    if (message.type === 'copy') return vscode.env.clipboard.writeText(message.text ?? '')
    if (message.type === 'open' && message.path) return reveal(state.uri, message.path, message.range)
    await this.pass(panel, state, message)
  }

  private async pass(panel: vscode.WebviewPanel, state: CardState, message: PageMessage): Promise<void> {
    const connection = await this.connection()
    if (!connection) return
    try {
      const answer = await connection.run<object | null>('cardMessage', { ...state, message })
      if (answer) await panel.webview.postMessage(answer)
    } catch (error) {
      await panel.webview.postMessage({ type: 'notice', text: (error as Error).message })
    }
  }
}

function key(state: CardState): string {
  return `${state.uri}\n${state.server ?? ''}`
}

/** The page with its content security policy, and its state for the editor to keep over a restart. */
function secured(html: string, nonce: string, source: string, state: CardState): string {
  const policy = `default-src 'none'; style-src 'unsafe-inline' ${source}; script-src 'nonce-${nonce}'; img-src data:`
  const kept = JSON.stringify(state).replace(/</g, '\\u003c')
  return html.replace(
    '<head>',
    () => `<head><meta http-equiv="Content-Security-Policy" content="${policy}"><script nonce="${nonce}">{const api = acquireVsCodeApi(); api.setState({ ...api.getState(), echolot: ${kept} }); globalThis.acquireVsCodeApi = () => api}</script>`,
  )
}

/** Shows a place of the report; paths are absolute or relative to the document's folder. */
async function reveal(base: string, path: string, range?: { start: { line: number; character: number } }): Promise<void> {
  const absolute = /^([a-zA-Z]:)?[\\/]/.test(path)
  const uri = absolute ? vscode.Uri.file(path) : vscode.Uri.joinPath(vscode.Uri.parse(base), '..', path)
  const document = await vscode.workspace.openTextDocument(uri)
  const position = new vscode.Position(range?.start.line ?? 0, range?.start.character ?? 0)
  await vscode.window.showTextDocument(document, { selection: new vscode.Range(position, position), viewColumn: vscode.ViewColumn.One })
}
