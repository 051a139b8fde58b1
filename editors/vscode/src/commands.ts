// The extension's own commands (palette, title, lenses, code actions): each asks the server and shows its answer.
import * as vscode from 'vscode'
import type { Cards } from './card'
import type { Connection, Shown } from './client'

const PROVIDERS = [
  { label: 'Anthropic', provider: 'anthropic' },
  { label: 'OpenAI', provider: 'openai' },
  { label: 'Google Gemini', provider: 'gemini' },
]

/** What a lens or a code action passes: the document and, where it holds several, the server. */
interface Target {
  uri?: string
  server?: string
  provider?: string
  rule?: string
  prompt?: string
  entry?: string
}

export function registerCommands(connection: () => Promise<Connection | undefined>, cards: Cards): vscode.Disposable[] {
  const command = (name: string, run: (connection: Connection, target: Target & { uri: string }) => Promise<unknown>) =>
    vscode.commands.registerCommand(`echolot.${name}`, async (given?: Target | vscode.Uri) => {
      const open = await connection()
      const target = targetOf(given)
      if (!open) return
      if (!target) return void vscode.window.showInformationMessage('Open a file that declares an MCP server first.')
      try {
        await run(open, target)
      } catch (error) {
        void vscode.window.showWarningMessage((error as Error).message)
      }
    })
  return [
    command('openCard', async (_, target) => cards.open({ uri: target.uri, server: target.server })),
    command('openProviderJson', async (open, target) => {
      const provider = target.provider ?? (await pickProvider())
      if (provider) await show(await open.run<Shown>('openProviderJson', { ...target, provider, show: false }))
    }),
    command('copyProviderJson', async (open, target) => {
      const provider = target.provider ?? (await pickProvider())
      if (!provider) return
      const answer = await open.run<Shown>('openProviderJson', { ...target, provider, show: false })
      await copy(answer.text ?? '', 'The tool list was copied.')
    }),
    command('copyMarkdown', async (open, target) => copy((await open.run<Shown>('copyMarkdown', target)).text ?? '', 'The report was copied.')),
    command('tryWithModel', async (open, target) => {
      const prompt = target.prompt ?? (await vscode.window.showInputBox({ prompt: 'What might someone ask an agent to do with this server?', placeHolder: 'Is the two-person tent in stock?' }))
      if (!prompt) return
      const answer = await vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title: 'Asking the model which tool it would call' }, () => open.run<Shown>('tryWithModel', { ...target, prompt, show: false }))
      await show(answer)
    }),
    command('checkLive', async (open, target) => {
      if (!vscode.workspace.isTrusted) return void vscode.window.showWarningMessage('Echolot starts no server in an untrusted workspace.')
      const answer = await open.run<Shown>('checkLive', { ...target, show: false })
      if (answer?.text) await show(answer)
    }),
    command('explainRule', async (open, target) => {
      const rule = target.rule ?? ruleUnderCursor() ?? (await vscode.window.showInputBox({ prompt: 'Which rule? Its id stands behind the message.', placeHolder: 'param-no-description' }))
      if (rule) await show(await open.run<Shown>('explainRule', { rule }))
    }),
    command('showDebugInfo', async (open, target) => show(await open.run<Shown>('showDebugInfo', target))),
  ]
}

function targetOf(given?: Target | vscode.Uri): (Target & { uri: string }) | undefined {
  const document = vscode.window.activeTextEditor?.document
  const target: Target = given instanceof vscode.Uri ? { uri: given.toString() } : (given ?? {})
  const uri = target.uri ?? document?.uri.toString()
  return uri ? { ...target, uri } : undefined
}

async function pickProvider(): Promise<string | undefined> {
  return (await vscode.window.showQuickPick(PROVIDERS, { placeHolder: 'As which provider receives it?' }))?.provider
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

/** Shows an answer: a document that the server keeps (it follows the source), else its text. */
async function show(answer: Shown): Promise<void> {
  const document = answer.uri
    ? await vscode.workspace.openTextDocument(vscode.Uri.parse(answer.uri))
    : await vscode.workspace.openTextDocument({ language: answer.language ?? 'markdown', content: answer.text ?? '' })
  if (!answer.uri && answer.language === 'markdown') {
    await vscode.commands.executeCommand('markdown.showPreviewToSide', document.uri)
    return
  }
  await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preview: true })
}
