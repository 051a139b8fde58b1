// Echolot for VS Code: starts the language server where there is MCP, and nowhere else.
import * as vscode from 'vscode'
import { Answers } from './answers'
import { Cards } from './card'
import type { Connection } from './client'
import { registerCommands } from './commands'
import { documentHoldsMcp, workspaceHoldsMcp } from './content'
import { debugInfo } from './debug'
import { findServer } from './find'
import { installServer } from './install'
import { keyEnvironment, removeKey, setKey } from './keys'
import { Status } from './status'

const PAUSE = 500 // milliseconds

let running: Running | undefined

export function activate(context: vscode.ExtensionContext): void {
  running = new Running(context)
  context.subscriptions.push(running)
}

export async function deactivate(): Promise<void> {
  await running?.stop()
}

class Running implements vscode.Disposable {
  private readonly output = vscode.window.createOutputChannel('Echolot', { log: true })
  private readonly cards = new Cards(() => this.started())
  private readonly answers = new Answers()
  private readonly status = new Status(() => this.connection)
  private readonly scan = new vscode.CancellationTokenSource()
  private readonly disposables: vscode.Disposable[]
  private connection: Connection | undefined
  private starting: Promise<Connection | undefined> | undefined
  private ending: Promise<void> = Promise.resolve()
  private askedToInstall = false
  private looking: NodeJS.Timeout | undefined

  constructor(private readonly context: vscode.ExtensionContext) {
    this.disposables = [
      this.output,
      this.status,
      this.answers,
      this.scan,
      vscode.window.registerWebviewPanelSerializer('echolot.card', this.cards),
      ...registerCommands(() => this.wanted(), this.cards, this.answers),
      vscode.commands.registerCommand('echolot.restart', () => this.restart(true)),
      vscode.commands.registerCommand('echolot.showOutput', () => this.output.show()),
      vscode.commands.registerCommand('echolot.showDebugInfo', async () => this.answers.show(await debugInfo(context, this.connection))),
      vscode.commands.registerCommand('echolot.installServer', () => this.install()),
      vscode.commands.registerCommand('echolot.setKey', async () => (await setKey(context.secrets)) && this.restart()),
      vscode.commands.registerCommand('echolot.removeKey', async () => (await removeKey(context.secrets)) && this.restart()),
      vscode.workspace.onDidOpenTextDocument((document) => this.look(document)),
      vscode.workspace.onDidChangeTextDocument((event) => this.lookSoon(event.document)),
      vscode.workspace.onDidSaveTextDocument(() => this.cards.saved()),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.restart()),
      vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration('echolot.server') && this.restart()),
      vscode.window.onDidChangeActiveTextEditor(() => this.status.refresh()),
    ]
    vscode.workspace.textDocuments.forEach((document) => this.look(document))
    void this.lookAround()
  }

  /** What runs, or is just being started, ends; the next start waits for that. */
  async stop(): Promise<void> {
    const starting = this.starting
    this.connection = this.starting = undefined
    this.ending = this.ending.then(async () => (await starting)?.close()).catch((error) => this.output.appendLine(String(error)))
    await vscode.commands.executeCommand('setContext', 'echolot.running', false)
    await this.ending
  }

  dispose(): void {
    clearTimeout(this.looking)
    this.scan.cancel()
    this.disposables.forEach((disposable) => disposable.dispose())
  }

  /** Looks through the workspace once; where there is no MCP, nothing is started, and the output says so. */
  private async lookAround(): Promise<void> {
    const found = vscode.workspace.workspaceFolders?.length ? await workspaceHoldsMcp(this.scan.token) : false
    if (this.scan.token.isCancellationRequested) return
    if (found) await this.started()
    else if (!this.starting) this.output.info('There is no MCP here, so the language server is not started. It starts as soon as a file with an MCP server is opened.')
  }

  private look(document: vscode.TextDocument): void {
    if (!this.starting && document.uri.scheme === 'file' && documentHoldsMcp(document)) void this.started()
  }

  /** Not at every key: a large file is read once the typing pauses, and not at all where a server was started. */
  private lookSoon(document: vscode.TextDocument): void {
    clearTimeout(this.looking)
    if (!this.starting) this.looking = setTimeout(() => this.look(document), PAUSE)
  }

  /** The connection, started at the first call. */
  private started(): Promise<Connection | undefined> {
    if (!this.starting) {
      const starting = this.ending.then(() => this.start())
      this.starting = starting
      void starting.then((connection) => (this.starting === starting ? this.ready(connection) : undefined))
    }
    return this.starting
  }

  private async ready(connection: Connection | undefined): Promise<void> {
    this.connection = connection
    await vscode.commands.executeCommand('setContext', 'echolot.running', connection !== undefined)
    await this.status.refresh()
  }

  /** For a command: where an earlier start failed, or the server ended for good, another attempt, which says again what is missing. */
  private async wanted(): Promise<Connection | undefined> {
    const before = this.starting
    const connection = await this.started()
    if (connection?.alive || !before) return connection
    await this.stop()
    this.askedToInstall = false
    return this.started()
  }

  private async start(): Promise<Connection | undefined> {
    const found = await findServer(this.context)
    if (!found) {
      void this.offerInstallation()
      return undefined
    }
    this.output.appendLine(`Starting ${[found.command, ...found.args].join(' ')} (from ${found.origin}).`)
    try {
      const client: typeof import('./client.js') = await import('./client.js')
      const changed = (uri: string): void => {
        void this.cards.refresh(uri)
        void this.status.refresh()
      }
      return await client.Connection.open(found, await keyEnvironment(this.context.secrets), this.output, changed, () => void this.status.refresh())
    } catch (error) {
      this.output.appendLine(String(error))
      void this.sayFailure(found.command)
      return undefined
    }
  }

  private async sayFailure(command: string): Promise<void> {
    const more = await vscode.window.showErrorMessage(`Echolot's language server did not start (${command}).`, 'Show Output', 'Install Echolot…')
    if (more === 'Show Output') this.output.show()
    if (more === 'Install Echolot…') await this.install()
  }

  /** Starts anew what was started; `always`: also where nothing was. */
  private async restart(always = false): Promise<void> {
    const again = always || this.starting !== undefined
    if (always) this.askedToInstall = false
    await this.stop()
    if (again) await this.started()
  }

  /** What runs ends first, and whoever asks for a server meanwhile gets the installed one. */
  private async install(): Promise<void> {
    const again = this.starting !== undefined
    let done = (): void => {}
    const installed = await installServer(this.context, this.output, async () => {
      await this.stop()
      this.ending = new Promise((resolve) => (done = resolve))
    }).finally(() => done())
    if (installed !== undefined && again) await this.started()
    else if (installed) vscode.window.setStatusBarMessage('Echolot’s language server is installed.', 5000)
  }

  private async offerInstallation(): Promise<void> {
    if (this.askedToInstall) return
    this.askedToInstall = true
    const answer = await vscode.window.showInformationMessage('This workspace holds an MCP server, and Echolot’s language server is not installed yet.', 'Install Echolot…', 'Not Now')
    if (answer === 'Install Echolot…') await this.install()
  }
}
