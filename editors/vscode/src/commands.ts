// The extension's own commands (palette, title, lenses, code actions): each asks the server and shows its answer.
import * as vscode from 'vscode'
import type { Answers } from './answers'
import type { Cards } from './card'
import type { Connection, Shown } from './client'

const PROVIDERS = [
  { label: 'Anthropic', provider: 'anthropic' },
  { label: 'OpenAI', provider: 'openai' },
  { label: 'Google Gemini', provider: 'gemini' },
]

/** What a lens or a code action passes: the document and, where it holds several, the server. `live`: as it ran. */
interface Target {
  uri?: string
  server?: string
  live?: boolean
  provider?: string
  rule?: string
  prompt?: string
  entry?: string
}

interface Checked extends Shown {
  servers: { name: string }[]
}

export function registerCommands(connection: () => Promise<Connection | undefined>, cards: Cards, answers: Answers): vscode.Disposable[] {
  const command = (name: string, run: (connection: Connection, target: Target & { uri: string }) => Promise<unknown>) =>
    vscode.commands.registerCommand(`echolot.${name}`, async (given?: Target | vscode.Uri) => {
      const target = targetOf(given)
      if (!target) return void vscode.window.showInformationMessage('Open a file that declares an MCP server first.')
      const open = await connection()
      if (!open) return
      try {
        await run(open, target)
      } catch (error) {
        void vscode.window.showWarningMessage((error as Error).message)
      }
    })
  return [
    command('openCard', async (_, target) => cards.open({ uri: target.uri, server: target.server, live: target.live })),
    command('openProviderJson', async (open, target) => {
      const provider = target.provider ?? (await pickProvider())
      if (provider) await answers.show(await open.run<Shown>('openProviderJson', { ...target, provider, show: false }))
    }),
    command('copyProviderJson', async (open, target) => {
      const provider = target.provider ?? (await pickProvider())
      if (!provider) return
      const answer = await open.run<Shown>('openProviderJson', { ...target, provider, show: false })
      await copy(answer.text ?? '', 'The tool list was copied.')
    }),
    command('copyMarkdown', async (open, target) => copy((await open.run<Shown>('copyMarkdown', target)).text ?? '', 'The report was copied.')),
    command('tryWithModel', async (open, target) => {
      const prompt = target.prompt ?? (await askPrompt())
      if (!prompt) return
      const asking = { location: vscode.ProgressLocation.Window, title: 'Echolot: asking the model which tool it would call' }
      await answers.show(await vscode.window.withProgress(asking, () => open.run<Shown>('tryWithModel', { ...target, prompt, show: false })))
    }),
    command('checkLive', async (open, target) => {
      if (!vscode.workspace.isTrusted) return void vscode.window.showWarningMessage('Echolot starts no server in an untrusted workspace.')
      const answer = await open.run<Checked>('checkLive', { ...target, show: false })
      const server = answer.servers[0]?.name
      if (server !== undefined) await cards.open({ uri: target.uri, server, live: true })
    }),
    command('explainRule', async (open, target) => {
      const rule = target.rule ?? ruleUnderCursor() ?? (await vscode.window.showInputBox({ prompt: 'Which rule? Its id stands behind the message.', placeHolder: 'param-no-description' }))
      if (rule) await answers.show(await open.run<Shown>('explainRule', { rule, show: false }))
    }),
  ]
}

/** The document in front; a card or a list that is shown there stands for the file beside it. */
export function shownDocument(): vscode.TextDocument | undefined {
  const editors = [vscode.window.activeTextEditor, ...vscode.window.visibleTextEditors]
  return editors.map((editor) => editor?.document).find((document) => document?.uri.scheme === 'file')
}

/** What is meant: what was passed, else the document in front. */
function targetOf(given?: Target | vscode.Uri): (Target & { uri: string }) | undefined {
  const target: Target = given instanceof vscode.Uri ? { uri: given.toString() } : (given ?? {})
  const uri = target.uri ?? shownDocument()?.uri.toString()
  return uri ? { ...target, uri } : undefined
}

async function pickProvider(): Promise<string | undefined> {
  return (await vscode.window.showQuickPick(PROVIDERS, { placeHolder: 'As which provider receives it?' }))?.provider
}

async function askPrompt(): Promise<string | undefined> {
  return vscode.window.showInputBox({ prompt: 'What might someone ask an agent to do with this server? No tool is called.', placeHolder: 'Is the two-person tent in stock?', ignoreFocusOut: true })
}

function ruleUnderCursor(): string | undefined {
  const editor = vscode.window.activeTextEditor
  if (!editor) return undefined
  const found = vscode.languages.getDiagnostics(editor.document.uri).find((diagnostic) => diagnostic.source === 'echolot' && diagnostic.range.contains(editor.selection.active))
  const code = found?.code
  return typeof code === 'object' ? String(code.value) : code === undefined ? undefined : String(code)
}

async function copy(text: string, said: string): Promise<void> {
  await vscode.env.clipboard.writeText(text)
  vscode.window.setStatusBarMessage(said, 3000)
}
