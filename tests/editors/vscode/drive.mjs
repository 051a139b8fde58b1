// Drives the extension in a real VS Code workbench (code-server) in headless Chromium, as a person would.
// Environment: CS_DIR (install.sh), ECHOLOT_PYTHON, ECHOLOT_VSIX, ECHOLOT_ROOT, ECHOLOT_WHEEL; SHOTS, a folder for pictures; ONLY, a
// regular expression that names the steps to run. Prints one line a step and ends with "N passed, N failed".
import * as machine from './machine.mjs'
import * as window from './window.mjs'

const { at, keep, read, until } = machine
const only = new RegExp(process.env.ONLY || '.')
const began = Date.now()
let passed = 0, failed = 0

/** A step that is lost loses no other: the next one starts from a clean window. */
async function step(name, act) {
  if (!only.test(name)) return
  const start = Date.now()
  try {
    const said = await act()
    passed++
    console.log(`ok      ${name}${said === undefined ? '' : `: ${String(said).replace(/\s+/g, ' ').slice(0, 120)}`} (${Date.now() - start} ms)`)
  } catch (error) {
    failed++
    console.log(`FAILED  ${name}: ${String(error).split('\n')[0].slice(0, 300)} (${Date.now() - start} ms)`)
    await window.shot(`failed-${name.replace(/\W+/g, '-')}`).catch(() => {})
    await window.tidy().catch(() => {})
  }
}
const expect = (holds, what) => { if (!holds) throw new Error(what) }
const folder = (name) => `folder=${encodeURIComponent(at(name))}`
const shop = async () => { await window.tidy(); await window.openFile('shop.py'); await window.squiggle() }

try {
  // --- two roots: a Python server, and a folder with JSON lists and somebody else's server
  await window.open(`workspace=${encodeURIComponent(machine.twoRoots)}`)
  await step('squiggles in a workspace of two roots', async () => { await window.openFile('shop.py'); await window.squiggle({ timeout: 90000 }); return window.squiggles() })
  await step('inlay hints', async () => { await window.hint('≈').waitFor(); return window.hint('≈').innerText() })
  await step('a code lens on the server object', async () => { await window.lens(/tools · ≈/).waitFor(); return window.lens(/tools · ≈/).innerText() })
  await step('the status bar', async () => { await window.status(/≈[\d,]+ tokens/).waitFor(); await window.shot('editor'); return window.status(/≈[\d,]+ tokens/).innerText() })
  await step('a hover with a table', async () => {
    await shop(); await window.goTo('shop/shop.py', 'search_products', 3); await window.press('Control+K'); await window.press('Control+I')
    await window.hover().waitFor(); await window.shot('hover'); const text = await window.hover().innerText()
    expect(/Anthropic[^]*OpenAI[^]*Gemini/.test(text), text); return text
  })
  await step('a quick fix in Python, applied and saved', async () => {
    await shop(); await window.goTo('shop/shop.py', 'trail.weather', 2); await window.act('trail_weather')
    await window.save('shop/shop.py', (text) => text.includes('@mcp.tool(name="trail_weather")'))
  })
  await step('a quick fix in JSON, applied and saved', async () => {
    await window.tidy(); await window.openFile('more.json'); await window.squiggle()
    await window.goTo('depot/more.json', '"inputSchema"', 2); await window.act('properties'); await window.save('depot/more.json', (text) => text.includes('"properties": {}')); await window.noSquiggle()
  })
  await step('an ignore action, applied and saved', async () => {
    await shop(); await window.goTo('shop/shop.py', 'cancel_reservation', 2); await window.act('Ignore no-description on this line')
    await window.save('shop/shop.py', (text) => text.includes('# echolot: ignore[no-description]'))
  })
  await step('a rule explained', async () => {
    await shop(); await window.goTo('shop/shop.py', 'note=None', 1); await window.command('Echolot: Explain a Rule')
    await window.webview('Why it matters'); await window.shot('explain')
  })
  await step('provider JSON from the lens, as a virtual document', async () => {
    await shop(); await window.lens('Provider JSON').click(); await window.pick('Gemini'); await window.line('functionDeclarations').waitFor()
    await window.tab('gemini.json').waitFor(); await window.shot('provider-json')
  })
  await step('provider JSON copied', async () => {
    await shop(); await window.command('Echolot: Copy the Tool List as a Provider Receives It'); await window.pick('Anthropic')
    await until(async () => (await window.clipboard()).includes('"input_schema"'), 'nothing was copied')
  })
  await step('the card, which keeps its state when the window is loaded again', async () => {
    await shop(); await window.title('Show How a Model Sees This Server').click(); let card = await window.webview('search_products')
    await card.locator('.tile .lossy').first().waitFor(); await window.shot('card-top'); await card.locator('#tab-openai').click(); await card.locator('#prompt').fill('Is the two-person tent in stock?')
    await card.locator('#panel-summary').filter({ hasText: 'OpenAI' }).waitFor(); await window.shot('card')
    await window.reload(); card = await window.webview('search_products')
    await card.locator('#panel-summary').filter({ hasText: 'OpenAI' }).waitFor()
    expect((await card.locator('#prompt').inputValue()) === 'Is the two-person tent in stock?', 'what was typed is gone')
    return card.locator('h1').first().innerText()
  })
  await step('try with a model, after the consent dialog', async () => {
    await window.tidy(); await window.openFile('more.json'); await window.hint('≈').waitFor()
    await window.command('Echolot: Try With a Model'); await window.answer('Open the depot, please.')
    const ask = window.dialog('picker:cloud'); await ask.waitFor(); await window.shot('consent'); const text = await ask.innerText()
    await ask.getByRole('button', { name: 'Send' }).click(); await window.webview('open_depot'); await window.shot('try'); return text
  })
  await step('a changed setting is taken up', async () => {
    await window.tidy(); await window.openFile('tools.json'); await window.squiggle()
    keep({ 'echolot.ignore': ['schema-no-properties'] }); await window.noSquiggle()
    keep(); await window.squiggle()
  })
  await step('what is safe is mended on save', async () => {
    keep({ 'editor.codeActionsOnSave': { 'source.fixAll.echolot': 'explicit' } })
    await window.tidy(); await window.openFile('tools.json'); await window.squiggle(); await window.press('End'); await window.type(' ')
    await window.save('depot/tools.json', (text) => text.includes('"properties": {}'))
    await window.noSquiggle()
  })
  await step("somebody else's server: opened, checked, its card", async () => {
    await window.tidy(); await window.openFile('.vscode/mcp.json'); await window.lens('Check this server').click()
    const ask = window.dialog('server.py'); await ask.waitFor(); await window.shot('live-consent'); await ask.getByRole('button', { name: 'Start' }).click()
    const card = await window.webview('find_parcel'); await card.locator('#checked').filter({ hasText: 'Read at' }).waitFor()
    await window.lens(/1 tool · ≈/).waitFor(); await window.squiggle(); await window.shot('live')
    machine.write('depot/server.py', machine.server('find_parcel', 'Looks a parcel up by its number and says who has it.'))
    await card.locator('#check-again').click(); await card.locator('#checked').filter({ hasText: 'find_parcel has another description' }).waitFor(); await window.shot('live-again')
    return card.locator('#checked').innerText()
  })
  await step("somebody else's server: its provider JSON", async () => {
    await window.tidy(); await window.openFile('.vscode/mcp.json'); await window.lens('Provider JSON').click(); await window.pick('OpenAI')
    await window.line('"function"').waitFor(); await window.shot('live-json')
  })
  await step('an API key is stored and removed', async () => {
    const known = () => machine.servers().some((pid) => machine.started(pid, 'environ').includes('OPENAI_API_KEY=sk-not-a-real-key'))
    await window.command('Echolot: Store a Provider'); await window.pick('OpenAI'); await window.answer('sk-not-a-real-key')
    await until(known, 'the server does not get the key')
    await window.command('Echolot: Remove a Stored API Key'); await window.pick('OpenAI'); await until(() => machine.servers().length && !known(), 'the server keeps the key')
  })
  await step('restart', async () => {
    await until(() => machine.servers().length, 'no server runs'); const before = machine.servers().join()
    await window.command('Echolot: Restart the Language Server'); await until(() => machine.servers().length && machine.servers().join() !== before, 'the same server still runs')
    await shop()
  })
  await step('a server that dies is started again', async () => {
    await shop(); const [pid] = machine.servers(); process.kill(Number(pid), 'SIGKILL')
    await until(() => machine.servers().length && !machine.servers().includes(pid), 'no server came back'); await window.hint('≈').waitFor()
  })
  await step('debug information', async () => { await shop(); await window.command('Echolot: Show Debug Information'); await window.webview('the setting echolot.server.command'); await window.webview('pygls'); await window.shot('debug') })
  await step('the walkthrough', async () => {
    await window.tidy(); await window.command('Welcome: Open Walkthrough'); await window.answer('See your tools as a model sees them')
    await window.shown('Look at the card'); await window.shot('walkthrough')
  })
  await step('nothing was said unasked', async () => { const said = await window.said(); expect(!said.length, said.join(' | ')) })

  await step('a workspace without MCP starts no server', async () => {
    await window.open(folder('plain'), 'plain/app.py')
    await until(() => !machine.servers().length, 'the server of the closed window still runs', 60)
    await window.command('Echolot: Show Output'); await window.below('no MCP here')
    await window.command('Echolot: Show Debug Information'); await window.webview('It does not run'); await window.shot('plain')
    expect(!machine.servers().length, 'a server was started')
  })
  await step('an untrusted workspace is checked, and starts no server of its own', async () => {
    keep({ trusted: false }); await window.open(folder('untrusted'), 'untrusted/shop.py'); await window.squiggle({ timeout: 90000 })
    await window.palette('F1', '>Echolot: '); await window.listed('Explain a Rule').first().waitFor(); await window.shot('untrusted')
    expect(!(await window.listed('Check the Running Server').count()), 'the live check is offered')
  })
  const install = async () => {
    const ask = window.dialog('pip will download'); await ask.waitFor(); await window.shot('install'); const text = await ask.innerText()
    await ask.getByRole('button', { name: 'Install' }).click(); return text
  }
  const offered = async () => { const toast = window.toast('not installed yet'); await toast.waitFor({ timeout: 90000 }); await window.shot('missing'); await toast.getByRole('button', { name: 'Install Echolot…' }).click() }
  await step('a missing server is said; a Python that is too old, and an index that is out of reach', async () => {
    const far = { installed: false, 'http.proxy': 'http://127.0.0.1:9', 'echolot.server.package': 'echolot-lsp-from-far-away' }
    keep({ ...far, 'echolot.server.python': machine.oldPython }); await window.open(folder('missing'), 'missing/shop.py')
    await offered(); await window.toast('is Python 3.9.18, and 3.11 or newer is needed').waitFor(); await window.shot('too-old')
    keep(far)
    // the workbench takes a moment to see that the file of the settings has changed
    await until(async () => { await window.command("Echolot: Install Echolot's Language Server"); return window.dialog('pip will download').waitFor({ timeout: 4000 }).then(() => true, () => false) }, 'nothing is asked', 60)
    await install()
    await window.toast('could not reach its package index').waitFor({ timeout: 120000 }); await window.shot('out-of-reach')
    expect(!machine.servers().length, 'a server was started')
  })
  await step('one button installs it, after it has said what would be downloaded', async () => {
    keep({ installed: false }); await window.open(folder('missing'), 'missing/shop.py') // a window keeps the proxy that it began with
    await offered(); const text = await install()
    await window.squiggle({ timeout: 240000 }); await window.shot('installed')
    expect(machine.servers().some((pid) => machine.started(pid, 'cmdline').includes('globalStorage')), 'another server runs'); return text
  })
  await step("the workspace's own environment comes first", async () => {
    machine.giveEnvironment('missing'); await window.tidy(); await window.openFile('shop.py'); await window.command('Echolot: Restart the Language Server')
    await until(() => machine.servers().some((pid) => machine.started(pid, 'cmdline').includes(at('missing/.venv'))), 'its server does not run'); await window.squiggle()
  })
} finally {
  await window.closeBrowser()
  await machine.end()
}
console.log(`vscode: ${passed} passed, ${failed} failed in ${Math.round((Date.now() - began) / 1000)} s`)
process.exit(failed ? 1 : 0)
