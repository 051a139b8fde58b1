// What a person does in a window of the workbench: open files, run commands, answer dialogs. States are waited for, never times.
import { createRequire } from 'node:module'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { address, read, until } from './machine.mjs'

const { CS_DIR, SHOTS } = process.env
const { chromium } = createRequire(path.join(CS_DIR, 'cs', 'x.js'))('playwright-core')
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'] })
const context = await browser.newContext({ viewport: { width: 1400, height: 860 }, permissions: ['clipboard-read', 'clipboard-write'] })
let page

const containing = (selector, text) => page.locator(selector).filter({ hasText: text })

export const shot = async (name) => { if (SHOTS && page) { mkdirSync(SHOTS, { recursive: true }); await page.screenshot({ path: path.join(SHOTS, `${name}.png`) }) } }
export const closeBrowser = () => browser.close().catch(() => {})

/** Opens a window on `folder=…` or `workspace=…`; with a file, which the workbench then opens at every load. Before it counts its problems
 *  the workbench is not restored: a view that is opened is closed again, and the editor takes the focus from any list. */
export async function open(place, file) {
  await page?.close()
  page = await context.newPage(); page.setDefaultTimeout(25000)
  await page.goto(address(place, file), { timeout: 60000 })
  await (file ? containing('.tab.active', path.basename(file)) : page.locator('.explorer-folders-view .monaco-list-row')).first().waitFor({ timeout: 90000 })
  await page.locator('[id="status.problems"]').waitFor({ timeout: 90000 })
}
/** Loads the window again, as it was left. */
export const reload = async () => { await Promise.all([page.waitForEvent('load', { timeout: 60000 }), command('Developer: Reload Window')]); await page.locator('.explorer-folders-view .monaco-list-row').first().waitFor({ timeout: 90000 }) }

/** A clean window: no dialog, no list, no editor. */
export async function tidy() {
  for (let i = 0; i < 3; i++) await page.keyboard.press('Escape')
  await command('View: Close All Editors')
  const unsaved = page.locator('.monaco-dialog-box').getByRole('button', { name: "Don't Save" })
  await until(async () => { if (await unsaved.count()) await unsaved.click(); return !(await page.locator('.editor-group-container .tab').count()) }, 'editors stay open', 15)
}

/** Runs a command of the palette. A list that opened before the extension was registered never gets its commands: it is opened again. */
export async function command(title) {
  const input = await until(async () => { const input = await palette('F1', `>${title}`); return listed(title).first().waitFor({ timeout: 3000 }).then(() => input, () => undefined) }, `no command ${title}`, 60)
  await input.press('Enter')
}
export async function palette(key, text) {
  return until(async () => { await page.keyboard.press(key); return filled(text) }, 'no list opened')
}
/** The box on top, with a text in it; undefined where none is open (yet), or one just closes. */
async function filled(text) {
  const input = page.locator('.quick-input-widget input[type="text"], .quick-input-widget input[type="password"]').first()
  try { await input.fill(text, { timeout: 3000 }); await page.evaluate(() => new Promise(requestAnimationFrame)); return (await input.inputValue({ timeout: 1000 })) === text ? input : undefined } catch { return undefined }
}
/** Types an answer into the box that the extension opened. */
export const answer = async (text) => (await until(() => filled(text), 'nothing is asked')).press('Enter')
export const pick = (text) => containing('.quick-input-list .monaco-list-row', text).first().click()
export const listed = (text) => containing('.quick-input-list .monaco-list-row', text)

/** Opens a file from the explorer, and has the cursor in it. */
export async function openFile(name) {
  const folders = name.split('/').slice(0, -1), file = path.basename(name)
  const row = (label) => page.locator(`.explorer-folders-view .monaco-list-row`).filter({ has: page.locator('.label-name', { hasText: new RegExp(`^${label.replace('.', '\\.')}$`) }) }).first()
  for (const folder of folders) if ((await row(folder).getAttribute('aria-expanded')) !== 'true') await row(folder).click()
  await row(file).dblclick()
  await containing('.tab.active', file).first().waitFor()
  await page.locator('.editor-group-container.active .monaco-editor.focused').first().waitFor()
  await page.keyboard.press('Control+Home')
}
/** Puts the cursor where a text stands in a file on the disk. */
export async function goTo(file, text, further = 0) {
  const lines = read(file).split('\n'), line = lines.findIndex((each) => each.includes(text))
  const column = lines[line].indexOf(text) + 1 + further
  const input = await palette('Control+G', `:${line + 1}:${column}`)
  await input.press('Enter')
  await containing('.statusbar-item', `Ln ${line + 1}, Col ${column}`).first().waitFor()
}
/** Chooses a code action at the cursor. */
export async function act(title) {
  const row = containing('.action-widget .monaco-list-row', title).first()
  await until(async () => { await page.keyboard.press('Control+.'); return row.waitFor({ timeout: 4000 }).then(() => true, () => false) }, `no action "${title}" is offered`)
  await shot('quick-fix')
  await row.click()
}
export const press = (key) => page.keyboard.press(key)
export const type = (text) => page.keyboard.type(text)
/** Saves until the disk has what is expected: an edit may still be on its way to the editor. */
export const save = (file, holds) => until(async () => { await page.keyboard.press('Control+S'); return until(() => holds(read(file)), '', 1).catch(() => false) }, `${file} was not saved as expected`, 20)
export const clipboard = () => page.evaluate(() => navigator.clipboard.readText())

export const squiggle = (wait = {}) => page.locator('[class*="squiggly-"]').first().waitFor({ state: 'attached', ...wait })
export const noSquiggle = () => page.locator('[class*="squiggly-"]').first().waitFor({ state: 'detached' })
export const squiggles = () => page.locator('[class*="squiggly-"]').count()
export const hint = (text) => containing('.view-line span[class*="dyn-rule"]', text).first()
export const lens = (text) => containing('.codelens-decoration a', text).first()
export const status = (text) => containing('.statusbar-item', text).first()
export const line = (text) => containing('.view-line', text).first()
/** A button in the editor's title. */
export const title = (name) => page.locator(`.editor-group-container.active .editor-actions [aria-label^="${name}"]`).first()
export const tab = (text) => containing('.tab', text).first()
export const hover = () => page.locator('.monaco-hover:not(.hidden) table').first()
export const dialog = (text) => containing('.monaco-dialog-box', text)
export const toast = (text) => containing('.notification-toast', text)
/** What the workbench said in notifications that nobody has closed. */
export async function said() {
  await until(async () => { await command('Notifications: Show Notifications'); return page.locator('.notifications-center.visible').waitFor({ timeout: 4000 }).then(() => true, () => false) }, 'the notifications are not shown', 60)
  return (await page.locator('.notifications-center .notification-list-item').allInnerTexts()).map((text) => text.replace(/\s+/g, ' '))
}

const drawn = async (frame) => (await (await frame.frameElement()).isVisible()) && (await (await frame.parentFrame().frameElement()).isVisible())
/** The frame of a webview that says `text`, once it is on the screen. */
export async function webview(text) {
  return until(async () => {
    for (const frame of page.frames().slice(1)) { try { if ((await frame.locator('body').innerText({ timeout: 500 })).includes(text) && (await drawn(frame))) return frame } catch { /* a frame that went away */ } }
    return undefined
  }, `no webview says ${text}`, 30)
}
/** The panel below (the output) says `text`. */
export const below = (text) => containing('.part.panel .view-line', text).first().waitFor()
/** A page that the workbench draws itself (the walkthrough) says `text`. */
export const shown = (text) => containing('.editor-group-container.active .editor-container', text).first().waitFor()
