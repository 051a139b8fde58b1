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

/** Failing to start is said once, by the extension. */
class Client extends LanguageClient {
  starting = true

  override error(message: string, data?: unknown, showNotification?: boolean | 'force'): void {
    super.error(message, data, this.starting ? false : showNotification)
  }
}

export class Connection {
  private constructor(private readonly client: LanguageClient) {}

  static async open(found: Found, environment: Record<string, string>, output: vscode.LogOutputChannel, changed: (uri: string) => void, stopped: () => void): Promise<Connection> {
    const run = { command: found.command, args: found.args, options: { env: { ...process.env, ...environment, ECHOLOT_SECRET_VARIABLES: Object.keys(environment).join(',') } } }
    const server: ServerOptions = { run, debug: run }
    const options: LanguageClientOptions = {
      documentSelector: [
        { language: 'python', scheme: 'file' },
        { language: 'json', scheme: 'file' },
        { language: 'jsonc', scheme: 'file' },
        { scheme: 'file', pattern: '**/{pyproject,echolot}.toml' },
      ],
      outputChannel: output,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      markdown: { isTrusted: true },
      middleware: {
        provideHover: async (document, position, token, next) => spaced(await next(document, position, token)),
        workspace: {
          configuration: (params) => params.items.map((item) => (item.section === 'echolot' ? chosenSettings(item.scopeUri) : null)),
          didChangeConfiguration: async () => client.sendNotification('workspace/didChangeConfiguration', { settings: null }),
        },
      },
      initializationOptions: { echolot: { serversChanged: true, commandLinks: true, trusted: vscode.workspace.isTrusted } },
    }
    const client = new Client('echolot', 'Echolot', server, options)
    client.onRequest('window/showMessageRequest', ask)
    client.onNotification('echolot/serversChanged', (message: { uri: string }) => changed(message.uri))
    client.onDidChangeState((event) => {
      if (event.newState === State.Stopped) stopped()
    })
    await client.start()
    client.starting = false
    return new Connection(client)
  }

  /** Runs a command of the server; an error's message is one sentence for the user. */
  run<T = Shown>(command: string, argument: object): Promise<T> {
    return this.client.sendRequest('workspace/executeCommand', { command: `echolot.server.${command}`, arguments: [argument] })
  }

  /** Whether it answers, or is about to: a server that ended is started again, but not for ever. */
  get alive(): boolean {
    return this.client.state !== State.Stopped
  }

  async close(): Promise<void> {
    await this.client.dispose(2000)
  }
}

/** VS Code draws tables without any room between columns. */
function spaced(hover: vscode.Hover | null | undefined): vscode.Hover | null | undefined {
  for (const part of hover?.contents ?? []) {
    if (part instanceof vscode.MarkdownString) part.value = part.value.replace(/^\|(?! -).*$/gm, (row) => row.replace(/ \| /g, ' | &nbsp;&nbsp;&nbsp;'))
  }
  return hover
}

interface Question {
  message: string
  actions?: vscode.MessageItem[]
}

/** The server only asks for consent: in a dialog, which keeps the lines of what is agreed to. */
async function ask({ message, actions = [] }: Question): Promise<vscode.MessageItem | null> {
  const [, title, detail] = /^(.*?\?)\s+(.*)$/s.exec(message) ?? [message, message, '']
  const choices = actions.filter((action) => action.title !== 'Cancel')
  return (await vscode.window.showInformationMessage(title, { modal: true, detail }, ...choices)) ?? null
}

const OWN = /^(server|trace)\./

/** Only what the user set, as [tool.echolot] spells it: the defaults of VS Code must not win over the settings file. */
function chosenSettings(scope?: string): Record<string, unknown> {
  const uri = scope === undefined ? undefined : vscode.Uri.parse(scope)
  const settings = vscode.workspace.getConfiguration('echolot', uri)
  const chosen: Record<string, unknown> = {}
  const properties = vscode.extensions.getExtension('echolot.echolot-lsp')?.packageJSON.contributes.configuration.properties ?? {}
  for (const key of Object.keys(properties).map((full) => full.slice('echolot.'.length))) {
    const found = OWN.test(key) ? undefined : settings.inspect(key)
    const value = found?.workspaceFolderValue ?? found?.workspaceValue ?? found?.globalValue
    if (value !== undefined) chosen[key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)] = value
  }
  return chosen
}
