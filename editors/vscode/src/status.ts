// The status bar item: what the servers of the shown document cost a turn, and how many problems they have.
import * as vscode from 'vscode'
import type { Connection, ServerSummary } from './client'
import { shownDocument } from './commands'

export class Status implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem('echolot.status', vscode.StatusBarAlignment.Right, 90)
  private asked = 0

  constructor(private readonly connection: () => Connection | undefined) {
    this.item.name = 'Echolot'
    this.item.command = 'echolot.openCard'
  }

  async refresh(): Promise<void> {
    const turn = ++this.asked
    const connection = this.connection()
    const document = shownDocument()
    const servers = connection && document ? await this.ask(connection, document.uri) : []
    if (turn !== this.asked) return
    await vscode.commands.executeCommand('setContext', 'echolot.hasServers', servers.length > 0)
    if (!servers.length) return this.item.hide()
    const tokens = servers.every((server) => server.tokens !== null) ? servers.reduce((sum, server) => sum + (server.tokens ?? 0), 0) : undefined
    const problems = servers.reduce((sum, server) => sum + server.problems, 0)
    const parts = [tokens === undefined ? plural(servers.reduce((sum, server) => sum + server.tools, 0), 'tool') : `≈${tokens.toLocaleString('en')} tokens`]
    if (problems) parts.push(`$(error) ${problems}`)
    this.item.text = `$(telescope) ${parts.join(' ')}`
    this.item.accessibilityInformation = { label: `Echolot: ${servers.map((server) => line(server)).join('; ')}` }
    this.item.tooltip = [...servers.map((server) => line(server)), 'Click: how a model sees this server'].join('\n')
    this.item.show()
  }

  dispose(): void {
    this.item.dispose()
  }

  private async ask(connection: Connection, uri: vscode.Uri): Promise<ServerSummary[]> {
    try {
      return (await connection.run<{ servers: ServerSummary[] }>('summary', { uri: uri.toString() })).servers
    } catch {
      return []
    }
  }
}

function line(server: ServerSummary): string {
  const share = server.share === null ? '' : `, ${(server.share * 100).toFixed(1)} % of the context`
  const tokens = server.tokens === null ? 'tokens not counted yet' : `≈${server.tokens.toLocaleString('en')} tokens a turn`
  const found = [plural(server.problems, 'problem'), plural(server.warnings, 'warning'), plural(server.notes, 'note')].filter((part) => !part.startsWith('0'))
  return `${server.name}: ${plural(server.tools, 'tool')}, ${tokens}${share}; ${found.join(', ') || 'nothing found'}`
}

function plural(count: number, word: string): string {
  return `${count.toLocaleString('en')} ${word}${count === 1 ? '' : 's'}`
}
