// The connection to the language server. A bundle of its own: it is loaded when a server is started, not before.
import * as vscode from 'vscode'
import { LanguageClient, RevealOutputChannelOn, State, type LanguageClientOptions, type ServerOptions } from 'vscode-languageclient/node'
import type { Found } from './find'

export interface ServerSummary {
  name: string
  tools: number
  tokens: number | null
  share: number | null
  problems: number
  warnings: number
  notes: number
}

/** What the server's commands answer: what a client can show. */
export interface Shown {
  title: string
  language?: string
  text?: string
  uri?: string
}

export class Connection {
  private constructor(private readonly client: LanguageClient) {}

  static async open(found: Found, environment: Record<string, string>, output: vscode.LogOutputChannel, changed: (uri: string) => void, stopped: () => void): Promise<Connection> {
    const run = { command: found.command, args: found.args, options: { env: { ...process.env, ...environment } } }
    const server: ServerOptions = { run, debug: run }
    const options: LanguageClientOptions = {
      documentSelector: [
        { language: 'python', scheme: 'file' },
        { language: 'json', scheme: 'file' },
        { language: 'jsonc', scheme: 'file' },
        { language: 'toml', scheme: 'file', pattern: '**/{pyproject,echolot}.toml' },
      ],
      outputChannel: output,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      markdown: { isTrusted: true },
      synchronize: { configurationSection: 'echolot' },
      initializationOptions: { echolot: { serversChanged: true, commandLinks: true, trusted: vscode.workspace.isTrusted } },
    }
    const client = new LanguageClient('echolot', 'Echolot', server, options)
    client.onNotification('echolot/serversChanged', (message: { uri: string }) => changed(message.uri))
    client.onDidChangeState((event) => {
      if (event.newState === State.Stopped) stopped()
    })
    await client.start()
    return new Connection(client)
  }

  /** Runs a command of the server; an error's message is one sentence for the user. */
  run<T = Shown>(command: string, argument: object): Promise<T> {
    return this.client.sendRequest('workspace/executeCommand', { command: `echolot.server.${command}`, arguments: [argument] })
  }

  async close(): Promise<void> {
    await this.client.dispose(2000)
  }
}
