// The card page in a real browser.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const { PYTHON, ROOT, SCREENSHOTS } = process.env;
const PROVIDERS = ["Anthropic", "OpenAI", "Google Gemini"];
let browser, served, files, url;

before(async () => {
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
  served = spawn(PYTHON, [join(ROOT, "tests/page/serve.py"), mkdtempSync(join(tmpdir(), "card-"))], { stdio: ["pipe", "pipe", "inherit"] });
  const first = await new Promise((resolve) => createInterface({ input: served.stdout }).once("line", resolve));
  ({ url, files } = JSON.parse(first));
});

after(async () => {
  await browser?.close();
  served?.stdin.end();
});

// A page whose errors fail the test: whatever the console says is an error, too.
async function open(address, options = {}, script = undefined) {
  const context = await browser.newContext({ viewport: { width: 1100, height: 900 }, ...options });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]).catch(() => {});
  const page = await context.newPage();
  const errors = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && errors.push(message.text()));
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("dialog", (dialog) => errors.push(`dialog ${dialog.message()}`) && dialog.dismiss());
  page.errors = errors;
  if (script) await page.addInitScript(script);
  await page.goto(address.startsWith("/") ? `file://${address}` : address);
  return page;
}

async function done(page) {
  assert.deepEqual(page.errors, []);
  await page.context().close();
}

async function judged(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  const serious = violations.filter(({ impact }) => ["serious", "critical", "moderate"].includes(impact));
  assert.deepEqual(serious.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((node) => `${node.target} ${node.failureSummary}`)}`), []);
}

const text = (page, selector) => page.locator(selector).innerText();
const count = (page, selector) => page.locator(selector).count();
const shot = (page, name, fullPage = true) => page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage });

for (const tools of [0, 1, 12, 300]) {
  for (const [colorScheme, width] of [["light", 1100], ["dark", 400]]) {
    test(`every part with ${tools} tools, ${colorScheme}, ${width} wide`, async () => {
      const started = performance.now();
      const page = await open(files[`tools-${tools}`], { colorScheme, viewport: { width, height: 900 } });
      console.log(`# drawn after ${Math.round(performance.now() - started)} ms`);
      await shot(page, `tools-${tools}-${colorScheme}`, tools < 300);
      assert.equal(await page.title(), "How a model sees harbour");
      assert.match(await text(page, "#server-facts"), /src\/harbour\/server\.py · fastmcp 3\.4\.1 · Python 3\.12/);
      if (tools === 0) {
        assert.equal(await text(page, "#findings-heading"), "No tools");
        assert.match(await text(page, "#findings-body"), /has no tools, so a model sees nothing of it/);
        for (const part of ["#cost", "#largest", "#form", "#try"]) assert.equal(await page.locator(part).isVisible(), false);
      } else {
        assert.equal(await count(page, ".tile"), 3);
        assert.match(await text(page, ".tile >> nth=0"), /Anthropic\s+≈ [\d,]+ tokens a turn\s+as claude-sonnet-5 counts/);
        assert.match(await text(page, ".share"), new RegExp(`${tools} tools? · [\\d.]+ % of a 200k context at Anthropic`));
        assert.equal(await count(page, "#largest-body li"), tools > 1 ? 5 : 0);
        assert.equal(await page.locator("#largest").isVisible(), tools > 1);
        assert.match(await text(page, "#findings-heading"), tools === 300 ? /^10 problems, 2 warnings, 1 note$/ : tools === 12 ? /^2 warnings, 1 note$/ : /^1 note$/);
        assert.deepEqual(await page.locator("[role=tab]").allInnerTexts(), PROVIDERS);
        assert.match(await page.textContent("#panel-json"), /"name": "open_gate"/);
        assert.equal(await page.locator("#try-form").isVisible(), false);
        assert.match(await text(page, "#try-hint"), /echolot mcp view/);
      }
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);
      await judged(page);
      await done(page);
    });
  }
}

test("no server is said to be none", async () => {
  const page = await open(files.none);
  assert.equal(await text(page, "#findings-heading"), "No server");
  await judged(page);
  await done(page);
});

test("several servers have a chooser", async () => {
  const page = await open(files.servers);
  assert.deepEqual(await page.locator("#server option").allInnerTexts(), ["one", "two"]);
  await page.selectOption("#server", "1");
  assert.match(await text(page, "h1"), /two/);
  assert.match(await text(page, ".share"), /^3 tools/);
  await judged(page);
  await done(page);
});

test("tabs follow the arrow keys, and what was lost is marked where it stood", async () => {
  const page = await open(files["tools-12"]);
  await page.focus("#tab-anthropic");
  await page.keyboard.press("ArrowLeft");
  assert.equal(await page.evaluate(() => document.activeElement.id), "tab-gemini");
  assert.equal(await page.getAttribute("#tab-gemini", "aria-selected"), "true");
  assert.equal(await page.getAttribute("#panel", "aria-labelledby"), "tab-gemini");
  assert.match(await page.textContent("#panel-json"), /"functionDeclarations"/);
  assert.match(await text(page, "#panel-summary"), /^Google Gemini.s form: \d+ constraints lost, \d+ parts left out that constrain no argument/);
  assert.equal(await page.textContent(".mark.lossy del"), '"additionalProperties": false');
  await shot(page, "gemini", false);
  await page.keyboard.press("Home");
  assert.equal(await page.evaluate(() => document.activeElement.id), "tab-anthropic");
  await page.keyboard.press("ArrowRight");
  assert.match(await page.textContent("#panel-json"), /"strict": false/);
  await done(page);
});

test("a tool is found in a long list by the keyboard", async () => {
  const page = await open(files["tools-300"]);
  await page.selectOption("#jump", "250");
  const top = await page.evaluate(() => document.getElementById("tool-250").getBoundingClientRect().top - document.getElementById("panel-json").getBoundingClientRect().top);
  assert.ok(Math.abs(top) < 40, `the tool stands ${top} pixels from the top`);
  assert.equal(await page.evaluate(() => document.activeElement.id), "panel-json");
  await page.click("#largest-body button >> nth=0");
  await done(page);
});

test("copying gives exactly the provider's JSON, and the report as Markdown", async () => {
  const page = await open(url);
  const data = JSON.parse(await page.locator("#data").textContent());
  for (const provider of ["gemini", "openai", "anthropic"]) {
    await page.click(`#tab-${provider}`);
    await page.click("#copy-form");
    await page.waitForFunction((name) => document.getElementById("notice").textContent.includes(name), { gemini: "Google Gemini", openai: "OpenAI", anthropic: "Anthropic" }[provider]);
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.equal(copied, data.servers[0].forms[provider].text);
    assert.ok(JSON.parse(copied).length > 0);
  }
  await page.click("#copy-markdown");
  await page.waitForFunction(() => document.getElementById("notice").textContent === "The report is copied.");
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^## How a model sees harbour/);
  await done(page);
});

test("hostile names and descriptions stay text", async () => {
  for (const colorScheme of ["light", "dark"]) {
    const page = await open(files.hostile, { colorScheme });
    await page.click("#tab-gemini");
    await page.click("summary >> nth=0");
    assert.notEqual(await page.title(), "taken");
    assert.equal(await count(page, "img, iframe, main script, textarea >> nth=1"), 0);
    assert.equal(await page.evaluate(() => document.scripts.length), 2);
    assert.match(await text(page, "#largest-body"), /safe⟨U\+202E⟩exe\.txt⟨U\+2066⟩/);
    assert.match(await text(page, "#findings-body"), /x{1400}x* … \(2,000,000 characters\)/);
    await shot(page, `hostile-${colorScheme}`, false);
    if (colorScheme === "light") await judged(page);
    await done(page);
  }
});

test("the page follows the source and keeps what the reader was doing", async () => {
  const page = await open(url);
  await page.click("#tab-gemini");
  await page.fill("#prompt", "half a promp");
  served.stdin.write("show 7\n");
  await page.waitForFunction(() => document.querySelector(".share").innerText.startsWith("7 tools"));
  assert.equal(await page.getAttribute("#tab-gemini", "aria-selected"), "true");
  assert.equal(await page.inputValue("#prompt"), "half a promp");
  assert.equal(await page.evaluate(() => document.activeElement.id), "prompt");
  assert.match(await text(page, "#notice"), /^Updated at/);
  served.stdin.write("show 12\n");
  await page.waitForFunction(() => document.querySelector(".share").innerText.startsWith("12 tools"));
  await done(page);
});

async function ask(page, prompt, more = {}) {
  const before = await count(page, "#results > article");
  await page.fill("#prompt", prompt);
  if (more.models) await page.fill("#models", more.models);
  if (more.runs) await page.fill("#runs", String(more.runs));
  await page.click("#try-button");
  await page.waitForFunction((known) => document.querySelectorAll("#results > article").length > known, before);
  return text(page, "#results > article >> nth=0");
}

test("a prompt is tried: good, bad, spoken, text, cut off, refused, silent", async () => {
  for (const colorScheme of ["light", "dark"]) {
    const page = await open(url, { colorScheme });
    assert.equal(await page.inputValue("#models"), "llamacpp/gemma");
    assert.deepEqual(await page.locator("#models-known option").evaluateAll((all) => all.map((each) => each.value)), ["llamacpp/gemma", "ollama/qwen3:0.6b"]);
    const good = await ask(page, "a good one");
    assert.match(good, /→ find_ship\s+sign\s+"DABC7"\s+812 tokens in, 24 out · on this machine · [\d.]+ s/);
    const bad = await ask(page, "a bad one");
    assert.match(bad, /nights\s+"two"\s+"two" is a string; the schema wants an integer\./);
    assert.match(bad, /quay\s+"west"\s+"west" is none of the values that the schema lists: "north", "south", "東埠頭"\./);
    assert.match(bad, /stern\s+true\s+The schema has no stern and allows nothing else\./);
    assert.match(bad, /There is no tool moor_ship in this list\. The nearest is/);
    assert.match(bad, /The arguments are an object sent as text, not an object\./);
    await shot(page, `try-bad-${colorScheme}`);
    assert.match(await ask(page, "a spoken one"), /written as plain text: a client would show it and call nothing/);
    assert.match(await ask(page, "a text"), /No call\. The model answers:\s+<b>It lies at the north quay\.<\/b> ⟨U\+202E⟩ABC/);
    assert.match(await ask(page, "a cut one"), /cut off at the token limit/);
    assert.match(await ask(page, "a refused one: refuse"), /refuses the request \(400\)[^]*names the tool berth_ship \(number 4 of the list\)/);
    assert.match(await ask(page, "a silent one"), /No server answers/);
    assert.match(await ask(page, "several", { models: "llamacpp/gemma, ollama/qwen3:0.6b", runs: 3 }), /llamacpp\/gemma[^]*3 runs: what was picked[^]*100 %[^]*ollama\/qwen3:0\.6b/);
    await shot(page, `try-${colorScheme}`);
    await judged(page);
    await page.fill("#models", "nobody/knows");
    await page.fill("#prompt", "x");
    await page.click("#try-button");
    await page.waitForFunction(() => document.querySelector("#results > article").innerText.includes("names no model"));
    await done(page);
  }
});

test("an empty prompt is asked for, and a changed list marks old answers", async () => {
  const page = await open(url);
  await page.click("#try-button");
  assert.equal(await text(page, "#try-status"), "Write a prompt first.");
  assert.equal(await page.evaluate(() => document.activeElement.id), "prompt");
  await ask(page, "a good one");
  assert.equal(await page.locator(".stale").isVisible(), false);
  served.stdin.write("show 9\n");
  await page.waitForFunction(() => document.querySelector(".share").innerText.startsWith("9 tools"));
  assert.equal(await page.locator(".stale").isVisible(), true);
  await done(page);
});

test("the saved prompts are tried at once and say which passed", async () => {
  const page = await open(url);
  await page.click("text=Try the 2 saved prompts");
  await page.waitForFunction(() => document.querySelectorAll("#results .trial").length === 2);
  assert.match(await text(page, "#results"), /Where does DABC7 lie\?[^]*find_ship expected[^]*Tell me a joke[^]*open_gate expected, but no call/);
  assert.equal(await count(page, ".passed"), 1);
  assert.equal(await count(page, ".failed"), 1);
  assert.equal(await text(page, "#try-status"), "The answer is in. Nothing was called. 1 passed, 1 failed.");
  await shot(page, "saved");
  await judged(page);
  await done(page);
});

test("without the browser's clipboard a copy is made the old way, or said to have failed", async () => {
  const page = await open(url, {}, () => Object.defineProperty(navigator, "clipboard", { value: undefined }));
  await page.click("#copy-markdown");
  await page.waitForFunction(() => document.getElementById("notice").textContent === "The report is copied.");
  assert.equal(await count(page, "body > textarea"), 0);
  await page.evaluate(() => (document.execCommand = () => false));
  await page.click("#copy-form");
  await page.waitForFunction(() => document.getElementById("notice").textContent.includes("could not be copied"));
  await done(page);
});

test("a place is opened by its host", async () => {
  const page = await open(url);
  await page.click(".finding .link >> nth=0");
  await page.waitForFunction(() => document.getElementById("notice").textContent.startsWith("opened src/harbour/server.py at"));
  await done(page);
});

test("in a webview the same page talks by messages and asks no network", async () => {
  const page = await open(files.webview, {}, () => {
    window.posted = [];
    window.acquireVsCodeApi = () => ({ postMessage: (message) => window.posted.push(message), getState: () => window.kept, setState: (state) => (window.kept = state) });
  });
  assert.deepEqual(await page.evaluate(() => window.posted), [{ type: "ready" }]);
  await page.click(".finding .link >> nth=0");
  await page.fill("#models", "");
  await page.fill("#prompt", "Where?");
  await page.keyboard.press("Tab");
  await page.click("#try-button");
  const posted = await page.evaluate(() => window.posted);
  assert.deepEqual(posted[1], { type: "open", path: "src/harbour/server.py", range: { start: { line: 10, character: 4 }, end: { line: 10, character: 12 } } });
  assert.deepEqual(posted[2], { type: "try", id: "trial-1", server: 0, prompts: ["Where?"], models: [], runs: 1 });
  await page.evaluate(() => window.postMessage({ type: "trial", id: "trial-1", error: "No model is chosen. Looked for:\n  OpenAI: no key" }, "*"));
  await page.waitForFunction(() => document.querySelector("#results").innerText.includes("OpenAI: no key"));
  await page.evaluate(() => window.postMessage({ type: "notice", text: "Hello" }, "*"));
  await page.waitForFunction(() => document.getElementById("notice").textContent === "Hello");
  await done(page);
});

test("what was typed and chosen comes back with the editor's window", async () => {
  const page = await open(files.webview, {}, () => {
    window.kept ??= { echolot: { uri: "file:///x" }, page: { server: "harbour", provider: "gemini", fields: { prompt: "Where?", runs: "3", models: "ollama/x" } } };
    window.acquireVsCodeApi = () => ({ postMessage: () => {}, getState: () => window.kept, setState: (state) => (window.kept = state) });
  });
  assert.equal(await page.getAttribute("#tab-gemini", "aria-selected"), "true");
  assert.deepEqual([await page.inputValue("#prompt"), await page.inputValue("#runs"), await page.inputValue("#models")], ["Where?", "3", "ollama/x"]);
  await page.fill("#prompt", "When?");
  assert.deepEqual(await page.evaluate(() => [window.kept.page.fields.prompt, window.kept.echolot.uri]), ["When?", "file:///x"]);
  await done(page);
});

test("VS Code's theme colours win over the page's own", async () => {
  const page = await open(files.webview, {}, () => {
    window.acquireVsCodeApi = () => ({ postMessage: () => {}, getState: () => undefined, setState: () => {} });
    addEventListener("DOMContentLoaded", () => {
      const theme = { "editor-background": "#1e1e1e", "editor-foreground": "#d4d4d4", "descriptionForeground": "#b8b8b8", "textLink-foreground": "#4daafc", "editorWidget-background": "#252526", "input-background": "#313131", "input-foreground": "#cccccc", "button-secondaryBackground": "#313131", "button-secondaryForeground": "#cccccc", "button-background": "#0e639c", "errorForeground": "#f88070", "editorWarning-foreground": "#cca700", "editorInfo-foreground": "#59a4f9", "testing-iconPassed": "#73c991", "panel-border": "#2b2b2b", "diffEditor-removedTextBackground": "#ff000033", "diffEditor-insertedTextBackground": "#9bb95533" };
      for (const [name, value] of Object.entries(theme)) document.documentElement.style.setProperty(`--vscode-${name}`, value);
    });
  });
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(30, 30, 30)");
  await shot(page, "vscode");
  await judged(page);
  await done(page);
});

test("nothing is wider than a phone", async () => {
  const page = await open(url, { viewport: { width: 320, height: 700 } });
  await ask(page, "a bad one");
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
  await shot(page, "phone");
  await done(page);
});

test("the page says when its server has ended", async () => {
  const page = await open(url);
  served.stdin.end();
  await page.waitForFunction(() => document.getElementById("notice").textContent.startsWith("Echolot has ended"));
  await ask(page, "anyone there?");
  assert.match(await text(page, "#results > article >> nth=0"), /cannot be reached any more/);
  await page.context().close();
});
