// The card "how a model sees this server" in a webview: the server's page, spoken to by messages, without a port.
import { randomBytes } from 'node:crypto'
import * as vscode from 'vscode'
import type { Connection, Shown } from './client'

interface CardState {
  uri: string
  server?: string
  /** The running server, as it was checked last. */
  live?: boolean
}

type PageMessage = { type: string; text?: string; path?: string; range?: { start: { line: number; character: number } } }

interface Card {
  panel: vscode.WebviewPanel
  state: CardState
  /** The server's page is there, and draws itself anew when it is told to. */
  drawn: boolean
}

export class Cards implements vscode.WebviewPanelSerializer {
  private readonly cards = new Map<string, Card>()

  constructor(private readonly connection: () => Promise<Connection | undefined>) {}

  async open(state: CardState): Promise<void> {
    const known = this.cards.get(key(state))
    if (known) {
      known.panel.reveal(undefined, true)
      return this.again(known)
    }
    const panel = vscode.window.createWebviewPanel('echolot.card', 'How a model sees this server', { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true }, { retainContextWhenHidden: true })
    try {
      await this.draw(this.add(panel, state))
    } catch (error) {
      panel.dispose()
      throw error
    }
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel, saved: { echolot?: CardState } | undefined): Promise<void> {
    if (saved?.echolot?.uri) await this.again(this.add(panel, saved.echolot))
    else panel.dispose()
  }

  /** The report of a document has changed: its cards draw themselves anew. */
  async refresh(uri: string): Promise<void> {
    for (const card of this.cards.values()) if (card.state.uri === uri) await this.again(card)
  }

  /** A file was saved: what a running server was started from may be another now, which its card says. */
  async saved(): Promise<void> {
    for (const card of this.cards.values()) if (card.state.live) await this.again(card)
  }

  private add(panel: vscode.WebviewPanel, state: CardState): Card {
    const card = { panel, state, drawn: false }
    this.cards.set(key(state), card)
    panel.onDidDispose(() => this.cards.delete(key(state)))
    panel.webview.options = { enableScripts: true, enableCommandUris: ['echolot.checkLive', 'echolot.restart'], localResourceRoots: [] }
    panel.webview.onDidReceiveMessage((message: PageMessage) => this.receive(panel, state, message))
    return card
  }

  /** The page, drawn by the server; it throws what the server says where it cannot. */
  private async draw(card: Card): Promise<void> {
    const { panel, state } = card
    const connection = await this.connection()
    if (!connection) throw new Error('Echolot’s language server is not running.')
    await vscode.workspace.openTextDocument(vscode.Uri.parse(state.uri))
    const nonce = randomBytes(16).toString('base64')
    const page = await connection.run<Shown>('openCard', { ...state, mode: 'webview', nonce })
    panel.title = page.title
    panel.webview.html = secured(page.text ?? '', nonce, panel.webview.cspSource, state)
    card.drawn = true
  }

  /** A card that is there already: what it shows is brought up to date; one that cannot be drawn yet says why. */
  private async again(card: Card): Promise<void> {
    if (card.drawn) return this.pass(card.panel, card.state, { type: 'refresh' })
    try {
      await this.draw(card)
    } catch (error) {
      card.panel.webview.html = waiting((error as Error).message, card.state)
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
  return JSON.stringify([state.uri, state.server ?? '', state.live ?? false])
}

/** What stands in a card that cannot be drawn (yet). */
function waiting(why: string, state: CardState): string {
  const [command, title] = state.live ? [`echolot.checkLive?${encodeURIComponent(JSON.stringify([{ uri: state.uri, server: state.server }]))}`, 'Check the server again'] : ['echolot.restart', 'Restart the language server']
  const text = why.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)
  return `<!doctype html><meta http-equiv="Content-Security-Policy" content="default-src 'none'"><title>Echolot</title><p>${text}</p><p><a href="command:${command}">${title}</a></p>`
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
