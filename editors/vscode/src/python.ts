// The Python that makes Echolot's private environment: the setting's, else the first one of the search path that is new enough.
import { execFile } from 'node:child_process'
import * as vscode from 'vscode'

export interface Python {
  command: string[]
  version: string
}

/** Python 2 must be able to read this as well. */
const PROBE = `import sys
try:
    import ensurepip, venv
    bare = False
except ImportError:
    bare = True
print("%s %d.%d.%d" % ("old" if sys.version_info < (3, 11) else "bare" if bare else "good", sys.version_info[0], sys.version_info[1], sys.version_info[2]))`

const ON_THE_PATH = process.platform === 'win32' ? [['py', '-3'], ['python']] : ['python3', 'python3.13', 'python3.12', 'python3.11', 'python'].map((name) => [name])

/** The Python to use; an error says in one sentence why there is none. */
export async function findPython(): Promise<Python> {
  const named = vscode.workspace.getConfiguration('echolot').get<string>('server.python')?.trim()
  const unfit: string[] = []
  for (const command of named ? [[named]] : ON_THE_PATH) {
    const [state, version] = await probe(command)
    const name = command.join(' ')
    if (state === 'good') return { command, version }
    if (state === 'bare') unfit.unshift(`${name} (${version}) can make no environments: it lacks venv or ensurepip; on Debian and Ubuntu install the package python3-venv.`)
    if (state === 'old') unfit.push(`${name} is Python ${version}, and 3.11 or newer is needed; name one in the setting echolot.server.python.`)
  }
  throw new Error(unfit[0] ?? `${named ? `${named} is` : 'There is'} no Python that can be started; name Python 3.11 or newer in the setting echolot.server.python.`)
}

function probe([program, ...args]: string[]): Promise<string[]> {
  return new Promise((resolve) => {
    execFile(program, [...args, '-c', PROBE], { windowsHide: true, timeout: 30000 }, (error, stdout) => resolve(error ? [] : stdout.trim().split(' ')))
  })
}
