// "Install Echolot…": a private environment in the extension's storage, made only after the user has read what will be downloaded.
import { spawn } from 'node:child_process'
import { mkdir, rename, rm } from 'node:fs/promises'
import * as vscode from 'vscode'
import { environmentProgram, privateEnvironment } from './find'
import { findPython, type Python } from './python'

/** Asks, then installs; `agreed` is called before anything changes. Answers undefined where nothing was tried, else whether it is installed. */
export async function installServer(context: vscode.ExtensionContext, output: vscode.OutputChannel, agreed: () => Promise<void>): Promise<boolean | undefined> {
  const requirement = vscode.workspace.getConfiguration('echolot').get<string>('server.package') || `echolot-lsp==${context.extension.packageJSON.version}`
  const environment = privateEnvironment(context)
  let python: Python
  try {
    python = await findPython()
  } catch (error) {
    await sayFailure(error as Error, 'Open Settings', () => vscode.commands.executeCommand('workbench.action.openSettings', 'echolot.server.python'))
    return undefined
  }
  if (!(await consent(requirement, python, environment))) return undefined
  await agreed()
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: 'Installing Echolot’s language server', cancellable: true },
    async (progress, token) => {
      try {
        await mkdir(context.globalStorageUri.fsPath, { recursive: true })
        await replaced(environment, async () => {
          progress.report({ message: 'making an environment' })
          await run([...python.command, '-m', 'venv', environment], output, token)
          progress.report({ message: `downloading ${requirement}` })
          await run([environmentProgram(environment, 'python'), '-m', 'pip', 'install', '--disable-pip-version-check', '--no-input', requirement], output, token)
        })
        return true
      } catch (error) {
        if (!token.isCancellationRequested) void sayFailure(error as Error, 'Show Output', () => output.show())
        return false
      }
    },
  )
}

async function consent(requirement: string, python: Python, environment: string): Promise<boolean> {
  const detail =
    `pip will download ${requirement} and the packages that it needs, about 20 MB, from the package index that pip is set up for.\n\n` +
    `They go into an environment of their own, made by ${python.command.join(' ')} (${python.version}); those of your projects stay as they are:\n${environment}`
  return (await vscode.window.showInformationMessage('Install Echolot’s language server?', { modal: true, detail }, 'Install')) === 'Install'
}

/** An environment that is there already comes back where the new one cannot be made: its programs name its path, so it only steps aside. */
async function replaced(environment: string, make: () => Promise<void>): Promise<void> {
  const before = `${environment}.before`
  const remove = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 3 })
  await remove(before)
  const kept = await rename(environment, before).then(
    () => true,
    () => false,
  )
  try {
    await make()
  } catch (error) {
    await remove(environment)
    if (kept) await rename(before, environment)
    throw error
  }
  await remove(before)
}

async function sayFailure(error: Error, button: string, act: () => unknown): Promise<void> {
  if (await vscode.window.showErrorMessage(`Echolot could not be installed: ${error.message}`, button)) await act()
}

/** The editor's proxy holds for pip where the environment names none; a user install would miss the environment. */
function environmentOfPip(): NodeJS.ProcessEnv {
  const proxy = vscode.workspace.getConfiguration('http').get<string>('proxy')
  const named = Object.keys(process.env).some((key) => /^https?_proxy$/i.test(key))
  return { ...process.env, PIP_USER: '0', ...(proxy && !named ? { HTTP_PROXY: proxy, HTTPS_PROXY: proxy } : {}) }
}

function run([program, ...args]: string[], output: vscode.OutputChannel, token: vscode.CancellationToken): Promise<void> {
  output.appendLine(`> ${[program, ...args].join(' ')}`)
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { windowsHide: true, env: environmentOfPip() })
    const stop = token.onCancellationRequested(() => child.kill())
    let words = ''
    const hear = (data: Buffer): void => {
      words = (words + String(data)).slice(-20000)
      output.append(String(data))
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.on('error', (error) => reject(new Error(`${program} could not be started (${error.message}).`)))
    child.on('close', (code) => {
      stop.dispose()
      if (code === 0) resolve()
      else reject(new Error(reason(words) ?? `${program} ended with status ${code}; the output channel has its words.`))
    })
  })
}

/** What pip's words mean, where they are known. */
function reason(words: string): string | undefined {
  if (/NewConnectionError|ConnectTimeout|ReadTimeout|ProxyError|name resolution|getaddrinfo/.test(words)) return 'pip could not reach its package index. Behind a proxy, set http.proxy or HTTPS_PROXY.'
  if (/SSLError|CERTIFICATE_VERIFY_FAILED/.test(words)) return 'pip does not trust the certificate of its package index; give it yours with PIP_CERT.'
  const [, missing] = /No matching distribution found for (\S+)/.exec(words) ?? []
  return missing ? `the package index has no ${missing}. The setting echolot.server.package can name another.` : undefined
}
