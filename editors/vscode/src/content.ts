// Whether a document or a workspace has anything to do with MCP: the language server is started only then.
import * as vscode from 'vscode'

const PYTHON = /^\s*(from|import)\s+(mcp|fastmcp)\b/m
const PYTHON_REEXPORT = /\bmcp\b/
const JSON_LIST = /"(inputSchema|input_schema|functionDeclarations|function_declarations|languageModelTools|mcpServers|parametersJsonSchema)"/
const JSON_FUNCTIONS = /"type"\s*:\s*"function"/
const CONFIG_NAMES = /(^|[\\/])(\.?mcp\.json|claude_desktop_config\.json)$/
const FILES_READ = 400

export function documentHoldsMcp(document: vscode.TextDocument): boolean {
  if (document.languageId === 'python') return holdsPython(document.getText())
  if (document.languageId !== 'json' && document.languageId !== 'jsonc') return false
  return CONFIG_NAMES.test(document.uri.path) || holdsJson(document.getText())
}

/** Looks for configuration files first, then into Python files, the dependencies last; bounded, and nothing is run. */
export async function workspaceHoldsMcp(token: vscode.CancellationToken): Promise<boolean> {
  const skip = '**/{node_modules,.git,.venv,venv,site-packages}/**'
  if ((await vscode.workspace.findFiles('**/{mcp.json,.mcp.json}', skip, 1, token)).length) return true
  const files = [
    ...(await vscode.workspace.findFiles('**/{pyproject.toml,requirements*.txt}', skip, 20, token)),
    ...(await vscode.workspace.findFiles('**/*.py', skip, FILES_READ, token)),
  ]
  const decoder = new TextDecoder()
  for (const uri of files) {
    if (token.isCancellationRequested) return false
    try {
      const text = decoder.decode(await vscode.workspace.fs.readFile(uri))
      if (uri.path.endsWith('.py') ? PYTHON.test(text) : /^\s*["']?(mcp|fastmcp)\b/m.test(text)) return true
    } catch {
      // a file that vanished or cannot be read says nothing
    }
  }
  return false
}

function holdsPython(text: string): boolean {
  return PYTHON.test(text) || (PYTHON_REEXPORT.test(text) && /@\w+(\.\w+)*\.tool\b|\btools\/list\b/.test(text))
}

function holdsJson(text: string): boolean {
  return JSON_LIST.test(text) || JSON_FUNCTIONS.test(text)
}
