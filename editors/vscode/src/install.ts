// "Install Echolot…": a private environment in the extension's storage, made only after the user has read what will be downloaded.
import { spawn } from 'node:child_process'
import { mkdir, rm } from 'node:fs/promises'
import * as vscode from 'vscode'
import { environmentProgram, privateEnvironment } from './find'

/** Asks, installs, and answers whether there is a language server now. */
export async function installServer(context: vscode.ExtensionContext, output: vscode.OutputChannel): Promise<boolean> {
  const settings = vscode.workspace.getConfiguration('echolot')
  const requirement = settings.get<string>('server.package') || `echolot-lsp==${context.extension.packageJSON.version}`
  const python = settings.get<string>('server.python') || (process.platform === 'win32' ? 'py' : 'python3')
  const environment = privateEnvironment(context)
  const answer = await vscode.window.showInformationMessage(
    'Install Echolot’s language server?',
    {
      modal: true,
      detail:
        `pip will download ${requirement} and the packages that it needs, about 20 MB, from the package index that pip is set up for.\n\n` +
        `They go into an environment of their own; those of your projects stay as they are:\n${environment}`,
    },
    'Install',
  )
  if (answer !== 'Install') return false
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: 'Installing Echolot’s language server', cancellable: true },
    async (progress, token) => {
      try {
        await mkdir(context.globalStorageUri.fsPath, { recursive: true })
        progress.report({ message: 'making an environment' })
        await run(python, ['-c', `import sys; sys.exit(sys.version_info < (3, 11) and "This is Python " + sys.version)`], output, token).catch(() => {
          throw new Error(`${python} is no Python 3.11 or newer; name one in the setting echolot.server.python.`)
        })
        await run(python, ['-m', 'venv', '--clear', environment], output, token)
        progress.report({ message: `downloading ${requirement}` })
        await run(environmentProgram(environment, 'python'), ['-m', 'pip', 'install', '--disable-pip-version-check', requirement], output, token)
        return true
      } catch (error) {
        await rm(environment, { recursive: true, force: true })
        if (!token.isCancellationRequested) {
          const more = await vscode.window.showErrorMessage(`Echolot could not be installed: ${(error as Error).message}`, 'Show Output')
          if (more) output.show()
        }
        return false
      }
    },
  )
}

function run(command: string, args: string[], output: vscode.OutputChannel, token: vscode.CancellationToken): Promise<void> {
  output.appendLine(`> ${[command, ...args].join(' ')}`)
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { windowsHide: true })
    const stop = token.onCancellationRequested(() => child.kill())
    child.stdout.on('data', (data) => output.append(String(data)))
    child.stderr.on('data', (data) => output.append(String(data)))
    child.on('error', (error) => {
      stop.dispose()
      reject(new Error(`${command} could not be started (${error.message}); set echolot.server.python to a Python 3.11 or newer.`))
    })
    child.on('close', (code) => {
      stop.dispose()
      if (code === 0) resolve()
      else reject(new Error(`${command} ended with status ${code}; the output channel has its words.`))
    })
  })
}
