// Which language server to start: the setting, the workspace's environment, the search path, the extension's own environment.
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

/** The first language server there is, or undefined. A program of the workspace is only taken where the workspace is trusted. */
export async function findServer(context: vscode.ExtensionContext): Promise<Found | undefined> {
  const [command, ...args] = vscode.workspace.getConfiguration('echolot').get<string[]>('server.command', [])
  if (command) return { command, args, origin: 'the setting echolot.server.command' }
  const candidates: [string, string][] = []
  if (vscode.workspace.isTrusted) {
    for (const folder of vscode.workspace.workspaceFolders ?? [])
      for (const name of ['.venv', 'venv', 'env'])
        candidates.push([environmentProgram(path.join(folder.uri.fsPath, name), 'echolot-lsp'), `the environment ${name} of ${folder.name}`])
  }
  for (const folder of (process.env.PATH ?? '').split(path.delimiter).filter(Boolean))
    candidates.push([path.join(folder, WINDOWS ? 'echolot-lsp.exe' : 'echolot-lsp'), 'the search path'])
  candidates.push([environmentProgram(privateEnvironment(context), 'echolot-lsp'), "Echolot's private environment"])
  for (const [file, origin] of candidates) if (await runnable(file)) return { command: file, args: [], origin }
  return undefined
}

async function runnable(file: string): Promise<boolean> {
  try {
    await access(file, WINDOWS ? constants.F_OK : constants.X_OK)
    return true
  } catch {
    return false
  }
}
