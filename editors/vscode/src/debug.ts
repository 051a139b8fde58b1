// Debug information: what the extension knows, and what the language server says of itself, on one page to paste into a report.
import * as vscode from 'vscode'
import type { Connection, Shown } from './client'
import { findServer } from './find'

export async function debugInfo(context: vscode.ExtensionContext, connection: Connection | undefined): Promise<Shown> {
  const found = await findServer(context)
  const lines = [
    `Extension ${context.extension.packageJSON.version}, ${vscode.env.appName} ${vscode.version}, ${process.platform} ${process.arch}${vscode.env.remoteName ? `, remote (${vscode.env.remoteName})` : ''}`,
    `Workspace: ${vscode.workspace.isTrusted ? 'trusted' : 'not trusted'}`,
    found ? `Language server: \`${[found.command, ...found.args].join(' ')}\`, from ${found.origin}` : 'Language server: none found',
    `It ${connection ? 'runs' : 'does not run'}.`,
  ]
  const own = `# Echolot for VS Code\n\n${lines.map((line) => `- ${line}`).join('\n')}\n`
  const title = 'Echolot: debug info'
  try {
    const uri = vscode.window.activeTextEditor?.document.uri
    const said = await connection?.run('showDebugInfo', uri ? { uri: uri.toString() } : {})
    return { title, language: 'markdown', text: said?.text ? `${own}\n${said.text}` : own }
  } catch (error) {
    return { title, language: 'markdown', text: `${own}\n- ${(error as Error).message}\n` }
  }
}
