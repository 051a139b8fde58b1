// Which language server to start: the setting, the workspace's environment, the search path, the extension's own environment.
// What differs on Windows (names and places of programs) stands here and in python.ts.
import { access, constants } from 'node:fs/promises'
import * as path from 'node:path'
import * as vscode from 'vscode'

export interface Found {
  command: string
  args: string[]
  /** For debug information: where it was found. */
  origin: string
}

const WINDOWS = process.platform === 'win32'

/** The program `name` of a virtual environment. */
export function environmentProgram(environment: string, name: string): string {
  return WINDOWS ? path.join(environment, 'Scripts', `${name}.exe`) : path.join(environment, 'bin', name)
}

export function privateEnvironment(context: vscode.ExtensionContext): string {
  return path.join(context.globalStorageUri.fsPath, 'environment')
}

/** The first language server there is, or undefined. */
export async function findServer(context: vscode.ExtensionContext): Promise<Found | undefined> {
  const [command, ...args] = vscode.workspace.getConfiguration('echolot').get<string[]>('server.command', [])
  if (command) return { command, args, origin: 'the setting echolot.server.command' }
  for (const [file, origin] of candidates(context)) if (await runnable(file)) return { command: file, args: [], origin }
  return undefined
}

/** Where a language server may be, the first place first. A program of the workspace is only taken where the workspace is trusted. */
function candidates(context: vscode.ExtensionContext): [string, string][] {
  const folders = vscode.workspace.isTrusted ? (vscode.workspace.workspaceFolders ?? []) : []
  const searched = (process.env.PATH ?? '').split(path.delimiter).filter(path.isAbsolute)
  return [
    ...folders.flatMap((folder) =>
      ['.venv', 'venv', 'env'].map((name): [string, string] => [environmentProgram(path.join(folder.uri.fsPath, name), 'echolot-lsp'), `the environment ${name} of ${folder.name}`]),
    ),
    ...searched.map((folder): [string, string] => [path.join(folder, WINDOWS ? 'echolot-lsp.exe' : 'echolot-lsp'), 'the search path']),
    [environmentProgram(privateEnvironment(context), 'echolot-lsp'), "Echolot's private environment"],
  ]
}

async function runnable(file: string): Promise<boolean> {
  try {
    await access(file, WINDOWS ? constants.F_OK : constants.X_OK)
    return true
  } catch {
    return false
  }
}
