"use strict";
/* Draws the JSON report that it is given. Text only ever becomes text: nothing here writes markup. */
(() => {
  const PROVIDERS = { anthropic: "Anthropic", openai: "OpenAI", gemini: "Google Gemini" };
  const FIRST_FINDINGS = 50;
  const MOST_RELATED = 40;
  const LONGEST = 1500;
  const LONGEST_LINE = 20000;

  const byId = (id) => document.getElementById(id);
  let data = JSON.parse(byId("data").textContent);
  const mode = data.mode;
  const state = { server: 0, provider: "anthropic", all: false, trials: 0 };

  /* ---- text ---- */

  const INVISIBLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

  /* Marks that turn the reading direction or hide are shown by their number; endless text is cut. */
  function plain(value, longest = LONGEST) {
    let text = String(value ?? "");
    if (text.length > longest) text = `${text.slice(0, longest)} … (${number(text.length)} characters)`;
    return text.replace(INVISIBLE, (character) => `⟨U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`);
  }

  /* A sentence of ours: what stands in backticks is shown as code. */
  function sentence(value, longest) {
    return plain(value, longest).split(/`([^`]+)`/).map((part, index) => (index % 2 ? make("code", {}, part) : part));
  }

  function number(value) {
    return Number(value).toLocaleString("en-US");
  }

  function percent(share) {
    const value = share * 100;
    return `${value > 0 && value < 0.1 ? "less than 0.1" : value.toFixed(value < 10 ? 1 : 0)} %`;
  }

  function plural(count, word) {
    return `${number(count)} ${word}${count === 1 ? "" : "s"}`;
  }

  /* make("li", {class: "x"}, child, …): children that are strings become text. */
  function make(name, attributes = {}, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (typeof value === "function") element.addEventListener(key, value);
      else if (value !== undefined && value !== null && value !== false) element.setAttribute(key, value === true ? "" : value);
    }
    element.append(...children.filter((child) => child !== null && child !== undefined));
    return element;
  }

  function fill(id, ...children) {
    byId(id).replaceChildren(...children.filter(Boolean));
  }

  function bar(share, label) {
    const inner = make("div", { class: "fill" });
    inner.style.inlineSize = `${Math.max(0, Math.min(1, share)) * 100}%`;
    const outer = make("div", { class: "track" }, inner);
    if (label) {
      outer.setAttribute("role", "img");
      outer.setAttribute("aria-label", label);
    } else outer.setAttribute("aria-hidden", "true");
    return outer;
  }

  const servers = () => data.report.servers ?? [];
  const server = () => servers()[state.server];
  const extra = () => (data.servers ?? [])[state.server] ?? {};
  const toolName = (tool, index) => (typeof tool?.name === "string" ? tool.name : `tool ${index + 1}`);

  /* ---- the host: a webview, the page's own server, or nobody ---- */

  const webview = mode === "webview" && typeof acquireVsCodeApi === "function" ? acquireVsCodeApi() : null;
  const can = (what) => (data.can ?? []).includes(what);

  async function post(path, message) {
    const response = await fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json", "x-echolot-token": data.token },
      body: JSON.stringify(message),
    });
    if (!response.ok) throw new Error(`The page's server answered ${response.status}.`);
    return response.json();
  }

  async function send(message) {
    if (webview) webview.postMessage(message);
    else if (mode === "browser") {
      try {
        receive(await post("message", message));
      } catch (error) {
        receive({ type: "trial", id: message.id, error: `Echolot cannot be reached any more: ${error.message}` });
      }
    }
  }

  function receive(message) {
    if (!message || typeof message !== "object") return;
    if (message.type === "report") follow(message);
    else if (message.type === "trial") showTrial(message);
    else if (message.type === "notice") {
      say(message.text);
      byId("check-again").disabled = false;
    }
    else if (message.type === "models") {
      setModels(message.models);
      setPrompts(message.prompts ?? []);
    }
  }

  /* A long question that the page's server answers as soon as the report changes. */
  async function watch() {
    const rest = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
    const ended = "Echolot has ended; this page no longer follows the source.";
    let failures = 0;
    while (failures < 60) {
      const asked = performance.now();
      try {
        const message = await post("wait", { version: data.version });
        if (message.type === "ended") return say(ended);
        failures = 0;
        if (message.type === "report") follow(message);
        else if (performance.now() - asked < 1000) await rest(3000); // many pages are open, and this one may not wait
      } catch {
        failures += 1;
        if (failures === 3) say(ended); // a machine that slept comes back
        await rest(Math.min(500 * failures, 10000));
      }
    }
  }

  function follow(message) {
    const name = server()?.name;
    data = { ...data, report: message.report, servers: message.servers ?? [], version: message.version ?? data.version };
    const again = servers().findIndex((candidate) => candidate.name === name);
    state.server = again >= 0 ? again : 0;
    const focused = document.activeElement?.id;
    const top = byId("panel-json").scrollTop;
    draw();
    byId("panel-json").scrollTop = top;
    if (focused && document.activeElement?.id !== focused) byId(focused)?.focus({ preventScroll: true });
    for (const old of document.querySelectorAll(".stale")) old.hidden = false;
    say(`Updated at ${new Date().toLocaleTimeString()}.`);
  }

  function say(text) {
    byId("notice").textContent = plain(text);
  }

  /* What was chosen and typed comes back when the editor's window does. */
  const FIELDS = ["prompt", "models", "runs"];

  function keep() {
    if (!webview) return;
    const fields = Object.fromEntries(FIELDS.map((id) => [id, byId(id).value]));
    webview.setState({ ...webview.getState(), page: { server: server()?.name, provider: state.provider, fields } });
  }

  function restore() {
    const kept = webview?.getState()?.page;
    if (!kept) return;
    const index = servers().findIndex((candidate) => candidate.name === kept.server);
    if (index >= 0) state.server = index;
    if (PROVIDERS[kept.provider]) state.provider = kept.provider;
    for (const id of FIELDS) if (kept.fields?.[id]) byId(id).value = kept.fields[id];
  }

  async function copy(text, what) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      if (webview) {
        webview.postMessage({ type: "copy", text });
      } else {
        const area = make("textarea", { "aria-hidden": "true" });
        area.value = text;
        document.body.append(area);
        area.select();
        const done = document.execCommand("copy");
        area.remove();
        if (!done) {
          say(`${what} could not be copied: the browser does not allow it.`);
          return;
        }
      }
    }
    say(`${what} is copied.`);
  }

  /* ---- the parts ---- */

  function draw() {
    const chosen = server();
    byId("chooser").hidden = servers().length < 2;
    fill("server", ...servers().map((each, index) => make("option", { value: index, selected: index === state.server }, plain(each.name, 80))));
    byId("server").value = String(state.server);
    byId("server-name").textContent = chosen ? plain(chosen.name, 120) : "this server";
    document.title = chosen ? `How a model sees ${plain(chosen.name, 60)}` : "How a model sees this server";
    for (const id of ["cost", "largest", "form", "try"]) byId(id).hidden = !chosen || chosen.tools.length === 0;
    byId("copy-markdown").hidden = !chosen;
    byId("unresolved").hidden = !chosen || (chosen.unresolved ?? []).length === 0;
    drawFacts(chosen);
    drawChecked(chosen?.checked);
    drawFindings(chosen);
    if (!chosen) return;
    drawUnresolved(chosen);
    if (chosen.tools.length === 0) return;
    drawCost(chosen);
    drawLargest(chosen);
    drawTabs();
    drawForm();
    drawTry();
  }

  function drawFacts(chosen) {
    const facts = chosen
      ? [
          chosen.origin === "live" ? "as the running server answers" : chosen.path,
          [chosen.framework, chosen.framework_version].filter(Boolean).join(" "),
          chosen.python ? `Python ${chosen.python}` : "",
        ]
      : [];
    byId("server-facts").textContent = facts.filter(Boolean).map((fact) => plain(fact, 200)).join(" · ");
  }

  /* A running server: when it was asked, what that changed, and what was saved since. */
  function drawChecked(checked) {
    byId("checked").hidden = !checked;
    byId("check-again").hidden = !checked || !can("checkLive");
    byId("check-again").disabled = false;
    if (!checked) return;
    const parts = [`Read at ${new Date(checked.at).toLocaleTimeString()}.`];
    if (checked.changes?.length) parts.push(`Since the check before: ${checked.changes.slice(0, 10).map((change) => plain(change, 120)).join("; ")}.`);
    else if (checked.changes) parts.push("Nothing has changed since the check before.");
    if (checked.since?.length) parts.push(`Saved since then: ${checked.since.map((file) => plain(file, 80)).join(", ")}. The list may be another by now.`);
    byId("checked").textContent = parts.join(" ");
  }

  function drawCost(chosen) {
    const known = Object.keys(PROVIDERS).filter((name) => chosen.cost?.[name] || chosen.verdict?.[name]);
    const tiles = make("div", { class: "tiles" }, ...known.map((name) => tile(name, chosen.cost?.[name], chosen.verdict?.[name])));
    const context = chosen.context;
    const count = plural(chosen.tools.length, "tool");
    if (!context || !Object.keys(chosen.cost ?? {}).length) {
      fill("cost-body", tiles, make("p", { class: "share" }, `${count}. The tokens are still being counted.`));
      return;
    }
    const sentence = `${count} · ${percent(context.share)} of a ${number(context.window / 1000)}k context at ${PROVIDERS[context.provider] ?? plain(context.provider)}, the dearest of the three`;
    fill("cost-body", tiles, make("div", { class: "share" }, make("p", {}, sentence), bar(context.share)));
  }

  function tile(name, cost, verdict) {
    const parts = [make("h3", {}, PROVIDERS[name])];
    if (cost && cost.total !== undefined) {
      const sign = cost.estimate === false ? "" : "≈ ";
      const least = cost.at_least ? "at least " : "";
      parts.push(make("p", { class: "number" }, `${least}${sign}${number(cost.total)} `, make("span", { class: "unit" }, "tokens a turn")));
      const borrowed = cost.borrowed ? ` (${plain(cost.borrowed, 200)})` : "";
      parts.push(make("p", { class: "quiet" }, `${cost.estimate === false ? "counted by" : "as"} ${plain(cost.model, 80)}${cost.estimate === false ? "" : " counts"}${borrowed}`));
      if (cost.surcharge > 0) parts.push(make("p", { class: "quiet" }, `${number(cost.surcharge)} of them are added once, for having tools at all`));
      else if (cost.surcharge < 0) parts.push(make("p", { class: "quiet" }, `${number(-cost.surcharge)} fewer than the tools one by one`));
    }
    if (verdict) parts.push(verdictOf(verdict));
    return make("div", { class: "tile" }, ...parts);
  }

  function verdictOf(verdict) {
    const words = { accepted: "Accepted", lossy: "Accepted, with losses", refused: "Refused" };
    const line = make("span", { class: `state ${verdict.state}` }, words[verdict.state] ?? plain(verdict.state));
    const why = verdict.why ?? [];
    if (why.length === 0) return make("p", {}, line);
    const shown = why.slice(0, 20).map((reason) => make("li", {}, reason.tool ? make("code", {}, plain(reason.tool, 80)) : null, reason.tool ? ": " : null, ...sentence(reason.text)));
    if (why.length > 20) shown.push(make("li", {}, `and ${number(why.length - 20)} more`));
    return make("details", {}, make("summary", {}, line), make("ul", {}, ...shown));
  }

  function drawLargest(chosen) {
    const largest = chosen.tools.length > 1 ? chosen.largest ?? [] : [];
    byId("largest").hidden = largest.length === 0;
    const most = Math.max(1, ...largest.map((each) => each.tokens));
    fill(
      "largest-body",
      ...largest.map((each) =>
        make(
          "li",
          {},
          make("button", { type: "button", class: "link code", click: () => jumpTo(each.index) }, plain(each.tool ?? `tool ${each.index + 1}`, 120)),
          bar(each.tokens / most),
          make("span", { class: "amount" }, `${number(each.tokens)} tokens`),
        ),
      ),
    );
  }

  function headline(findings) {
    const count = (severity) => findings.filter((finding) => finding.severity === severity).length;
    const parts = [["problem", count("problem")], ["warning", count("warning")], ["note", count("note")]];
    return parts.filter(([, amount]) => amount > 0).map(([word, amount]) => plural(amount, word)).join(", ");
  }

  function drawFindings(chosen) {
    const heading = byId("findings-heading");
    if (!chosen) {
      heading.textContent = "No server";
      fill("findings-body", make("p", {}, "No MCP server was found here: there is no tool list to show."));
      return;
    }
    const findings = chosen.findings ?? [];
    if (chosen.tools.length === 0) {
      heading.textContent = "No tools";
      const why = (chosen.unresolved ?? []).length
        ? "The source does not say which tools this server has: they are made while it runs. A live check lists them."
        : "This server has no tools, so a model sees nothing of it. Declare a tool, and this page follows.";
      fill("findings-body", make("p", {}, why), findings.length ? findingList(findings) : null);
      return;
    }
    heading.textContent = headline(findings) || "Nothing a model would stumble over";
    heading.classList.toggle("good-news", findings.length === 0);
    const shown = state.all ? findings : findings.slice(0, FIRST_FINDINGS);
    const more = findings.length > shown.length ? make("p", { class: "more" }, make("button", { type: "button", id: "all-findings", click: showAll }, `Show all ${number(findings.length)}`)) : null;
    fill("findings-body", shown.length ? findingList(shown) : null, more);
  }

  function showAll() {
    state.all = true;
    drawFindings(server());
    byId("findings-heading").focus();
  }

  function findingList(findings) {
    return make("ul", { class: "list" }, ...findings.map(findingItem));
  }

  function findingItem(finding) {
    const word = { problem: "Problem", warning: "Warning", note: "Note" }[finding.severity] ?? plain(finding.severity);
    const related = (finding.related ?? []).slice(0, MOST_RELATED).map(relatedLine);
    const shown = related.length <= 3 ? related : [make("details", {}, make("summary", {}, `${number(finding.related.length)} places`), ...related)];
    return make(
      "li",
      { class: "finding" },
      make("span", { class: `severity ${finding.severity}` }, word),
      make(
        "div",
        {},
        make("h3", {}, finding.tool ? make("code", {}, plain(finding.tool, 120)) : "The whole list"),
        make("p", {}, ...sentence(finding.message)),
        make("p", { class: "advice" }, ...sentence(finding.advice)),
        make("p", { class: "where" }, place(finding), finding.path && finding.range ? " · " : null, make("code", {}, plain(finding.rule, 80))),
        ...shown,
      ),
    );
  }

  function relatedLine(each) {
    const tool = each.tool ? make("code", {}, plain(each.tool, 120)) : null;
    return make("p", { class: "where" }, tool, tool ? ": " : null, ...sentence(each.message), " ", place(each));
  }

  function place(where) {
    if (!where.path || !where.range) return where.path ? make("span", { class: "code" }, plain(where.path, 300)) : null;
    const text = `${plain(where.path, 300)}:${where.range.start.line + 1}`;
    if (!can("open")) return make("span", { class: "code" }, text);
    return make("button", { type: "button", class: "link code", click: () => send({ type: "open", path: where.path, range: where.range }) }, text);
  }

  function drawUnresolved(chosen) {
    const parts = chosen.unresolved ?? [];
    const shown = parts.slice(0, 50).map((part) =>
      make("li", {}, part.tool ? make("code", {}, plain(part.tool, 120)) : "The list", ": ", ...sentence(part.why), " ", place(part)),
    );
    if (parts.length > 50) shown.push(make("li", {}, `and ${number(parts.length - 50)} more`));
    fill("unresolved-body", ...shown);
  }

  /* ---- the list in each provider's form ---- */

  function drawTabs() {
    const forms = extra().forms ?? {};
    const names = Object.keys(PROVIDERS).filter((name) => forms[name]);
    if (!names.includes(state.provider) && names.length) state.provider = names[0];
    fill(
      "tabs",
      ...names.map((name) =>
        make(
          "button",
          {
            type: "button",
            role: "tab",
            id: `tab-${name}`,
            "aria-selected": String(name === state.provider),
            "aria-controls": "panel",
            tabindex: name === state.provider ? "0" : "-1",
            click: () => choose(name, true),
          },
          PROVIDERS[name],
        ),
      ),
    );
    byId("form").hidden = names.length === 0;
  }

  function choose(name, focus) {
    state.provider = name;
    for (const tab of byId("tabs").children) {
      const selected = tab.id === `tab-${name}`;
      tab.setAttribute("aria-selected", String(selected));
      tab.tabIndex = selected ? 0 : -1;
      if (selected && focus) tab.focus();
    }
    drawForm();
  }

  function tabKeys(event) {
    const tabs = [...byId("tabs").children];
    const current = tabs.findIndex((tab) => tab.getAttribute("aria-selected") === "true");
    const steps = { ArrowRight: current + 1, ArrowLeft: current - 1, Home: 0, End: tabs.length - 1 };
    if (!(event.key in steps)) return;
    event.preventDefault();
    choose(tabs[(steps[event.key] + tabs.length) % tabs.length].id.slice("tab-".length), true);
  }

  function form() {
    return (extra().forms ?? {})[state.provider] ?? { text: "", marks: [], tools: [] };
  }

  function drawForm() {
    keep();
    const { text, marks, tools } = form();
    byId("panel").setAttribute("aria-labelledby", `tab-${state.provider}`);
    const drawn = JSON.stringify([state.provider, text, marks]);
    if (drawn === state.drawn) return;
    state.drawn = drawn;
    const after = new Map();
    for (const mark of marks) after.set(mark.line, [...(after.get(mark.line) ?? []), mark]);
    const starts = new Map(tools.map((tool) => [tool.line, tool.index]));
    const blocks = [];
    let pieces = [];
    let run = [];
    const flush = () => {
      if (run.length) pieces.push(`${run.join("\n")}\n`);
      run = [];
    };
    /* One block a tool, so that the browser lays out only those that are seen. */
    const close = (identity) => {
      flush();
      if (pieces.length) blocks.push(make("span", { class: "block" }, ...pieces));
      pieces = identity === undefined ? [] : [make("span", { id: `tool-${identity}` })];
    };
    text.split("\n").forEach((line, index) => {
      if (starts.has(index)) close(starts.get(index));
      run.push(line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)} … (${number(line.length)} characters)` : line);
      if (after.has(index)) {
        flush();
        pieces.push(...after.get(index).map(markLine));
      }
    });
    close();
    fill("panel-json", ...blocks);
    fill("jump", make("option", { value: "" }, "a tool …"), ...tools.map((tool) => make("option", { value: tool.index }, plain(tool.name, 80))));
    byId("jumper").hidden = tools.length < 2;
    const lost = marks.filter((mark) => mark.lossy).length;
    const left = marks.filter((mark) => mark.kind === "dropped" && !mark.lossy).length;
    const rewritten = marks.filter((mark) => mark.kind === "rewritten" && !mark.lossy).length;
    const refused = marks.filter((mark) => mark.kind === "refused").length;
    const parts = [
      lost ? `${plural(lost, "constraint")} lost` : "",
      left ? `${plural(left, "part")} left out that constrain${left === 1 ? "s" : ""} no argument` : "",
      rewritten ? `${number(rewritten)} written in another way` : "",
      refused ? `${number(refused)} refused` : "",
    ].filter(Boolean);
    byId("panel-summary").textContent = parts.length
      ? `${PROVIDERS[state.provider]}'s form: ${parts.join(", ")}, marked where they stood. Copy leaves the marks out.`
      : `${PROVIDERS[state.provider]}'s form carries the whole list.`;
  }

  function markLine(mark) {
    const word = { dropped: "left out", rewritten: "rewritten", refused: "refused", kept: "sent, but" }[mark.kind] ?? plain(mark.kind);
    const what = mark.text ? make(mark.kind === "dropped" ? "del" : "span", {}, plain(mark.text, 300)) : null;
    return make("span", { class: `mark ${mark.kind}${mark.lossy ? " lossy" : ""}` }, " ".repeat(mark.indent ?? 0), what, what ? " " : null, make("span", { class: "why" }, `⟵ ${word}: `, ...sentence(mark.why)));
  }

  function jumpTo(index) {
    byId("form").scrollIntoView({ block: "start" });
    const start = byId(`tool-${index}`);
    if (!start) return;
    const box = byId("panel-json");
    box.scrollTop += start.getBoundingClientRect().top - box.getBoundingClientRect().top - 8;
    box.focus({ preventScroll: true });
  }

  /* ---- try with a model ---- */

  function drawTry() {
    const able = can("try");
    byId("try-form").hidden = !able;
    if (!able) fill("try-hint", ...sentence("This is a saved page. In the editor, with `echolot mcp view` or `echolot mcp try`, a model can be asked which tool it would call."));
  }

  function setModels(models) {
    fill("models-known", ...(models ?? []).map((model) => make("option", { value: model })));
    const input = byId("models");
    if (!input.value && data.model) input.value = data.model;
  }

  /* The prompts of the settings: a regression test of the descriptions. */
  function setPrompts(prompts) {
    byId("try-saved").hidden = prompts.length === 0;
    byId("try-saved").textContent = prompts.length === 1 ? "Try the saved prompt" : `Try the ${prompts.length} saved prompts`;
  }

  function submit(event) {
    event.preventDefault();
    const prompt = byId("prompt").value.trim();
    if (prompt) return attempt({ prompts: [prompt] });
    byId("try-status").textContent = "Write a prompt first.";
    byId("prompt").focus();
  }

  function attempt(what) {
    state.trials += 1;
    const id = `trial-${state.trials}`;
    const models = byId("models").value.split(",").map((model) => model.trim()).filter(Boolean);
    const runs = Math.max(1, Math.min(20, Number(byId("runs").value) || 1));
    for (const button of ["try-button", "try-saved"]) byId(button).disabled = true;
    byId("try-status").textContent = "Asking. A first sending to a remote model needs your yes: look at the editor or the terminal.";
    send({ type: "try", id, server: state.server, ...what, models, runs });
  }

  function showTrial(message) {
    for (const button of ["try-button", "try-saved"]) byId(button).disabled = false;
    byId("try-status").textContent = "";
    if (message.error) {
      byId("results").prepend(make("article", { class: "trial" }, ...String(message.error).split("\n").map((line) => make("p", { class: line.startsWith("  ") ? "quiet" : "" }, plain(line)))));
      return;
    }
    const trials = message.result?.trials ?? [];
    const stale = make("p", { class: "stale quiet", hidden: true }, "The list has changed since this was asked.");
    byId("results").prepend(make("article", {}, stale, make("div", { class: "side" }, ...trials.map(trialCard))));
    const { passed, failed } = message.result?.summary ?? {};
    const score = passed || failed ? ` ${passed} passed, ${failed} failed.` : "";
    byId("try-status").textContent = `The answer is in. Nothing was called.${score}`;
  }

  function trialCard(trial) {
    const parts = [make("h3", {}, make("code", {}, plain(trial.model, 120))), make("p", { dir: "auto" }, `“${plain(trial.prompt, 400)}”`)];
    if (trial.runs.length > 1) parts.push(shares(trial));
    if (trial.passed !== null && trial.passed !== undefined) {
      const wanted = trial.expect ? `${plain(trial.expect, 120)} expected` : "no call expected";
      const picked = trial.picked.map((each) => (each.tool === null ? "no call" : plain(each.tool, 120))).join(", ") || "no answer";
      parts.push(make("p", { class: trial.passed ? "passed" : "failed" }, trial.passed ? wanted : `${wanted}, but ${picked}`));
    }
    const seen = new Set();
    const different = [...trial.runs.entries()].filter(([, run]) => {
      const outcome = JSON.stringify([run.calls.map((call) => call.tool).sort(), run.error?.text ?? null]);
      return !seen.has(outcome) && seen.add(outcome);
    });
    for (const [index, run] of different) {
      if (different.length > 1) parts.push(make("h4", {}, `Run ${index + 1}`));
      parts.push(...runParts(trial, run));
    }
    return make("div", { class: "trial" }, ...parts);
  }

  function shares(trial) {
    const failed = trial.runs.filter((run) => run.error).length;
    const rows = trial.picked.map((each) =>
      make("li", {}, make("span", { class: each.tool === null ? "" : "code" }, each.tool === null ? "no call" : plain(each.tool, 120)), bar(each.share), make("span", { class: "amount" }, `${Math.round(each.share * 100)} %`)),
    );
    return make("div", {}, make("p", { class: "quiet" }, `${plural(trial.runs.length, "run")}${failed ? `, ${failed} without an answer` : ""}: what was picked`), make("ol", { class: "bars" }, ...rows));
  }

  function runParts(trial, run) {
    if (run.error) {
      const tool = run.error.tool ? make("p", {}, "The provider names the tool ", make("code", {}, plain(run.error.tool, 120)), ` (number ${run.error.index + 1} of the list).`) : null;
      return [make("p", { class: "wrong" }, plain(run.error.text)), tool];
    }
    const inText = run.calls.some((call) => call.in_text);
    const parts = run.calls.map(callPart);
    if (inText) parts.push(make("p", { class: "remark" }, "The call is written as plain text: a client would show it and call nothing."));
    if (!run.calls.length) parts.push(make("p", { class: "remark" }, run.text ? "No call. The model answers:" : "No call and no text."));
    if (run.text && !(inText && run.text.trim().startsWith("{"))) parts.push(make("blockquote", { dir: "auto", tabindex: "0" }, plain(run.text, 4000)));
    const ends = { cut: "The answer was cut off at the token limit.", refused: "The provider stopped the answer (its content filter).", broken: "The model wrote a call that the provider could not read." };
    if (ends[run.stop]) parts.push(make("p", { class: "wrong" }, ends[run.stop]));
    if (run.list_hidden) parts.push(make("p", { class: "remark" }, "The server counts fewer tokens than the list has, so the model may not have seen it: a local server may need its template for tools."));
    parts.push(make("p", { class: "quiet" }, facts(trial, run)));
    return parts;
  }

  function facts(trial, run) {
    const tokens = run.usage ? `${number(run.usage.input)} tokens in, ${number(run.usage.output)} out` : "tokens not reported";
    const borrowed = run.price && run.price.model !== trial.model.split("/").slice(1).join("/") ? ` (price of ${plain(run.price.model, 80)})` : "";
    const money = run.price ? `about ${run.price.text}${borrowed}` : trial.on_this_machine ? "on this machine" : "price unknown";
    return [tokens, money, `${run.seconds.toFixed(1)} s`].join(" · ");
  }

  function callPart(call) {
    const bad = call.faults.some((fault) => !fault.note);
    const step = (fault) => fault.at.split("/")[1] ?? "";
    const named = call.arguments !== null && typeof call.arguments === "object" && !Array.isArray(call.arguments) ? Object.entries(call.arguments) : [];
    const rows = [];
    const told = new Set();
    for (const [name, value] of named) {
      const key = name.replaceAll("~", "~0").replaceAll("/", "~1");
      const faults = call.faults.filter((fault) => step(fault) === key && fault.at !== "");
      faults.forEach((fault) => told.add(fault));
      rows.push(make("dt", {}, plain(name, 120)), make("dd", {}, make("span", { class: "code" }, plain(JSON.stringify(value), 600)), ...faults.flatMap((fault) => faultParts(fault, key))));
    }
    if (!named.length && typeof call.arguments === "string") rows.push(make("dt", {}, "arguments"), make("dd", {}, make("span", { class: "code" }, plain(call.arguments, 600))));
    const rest = call.faults.filter((fault) => !told.has(fault)).flatMap((fault) => faultParts(fault, ""));
    return make(
      "div",
      { class: `call${bad ? " bad" : ""}${call.in_text ? " text" : ""}` },
      make("p", {}, make("span", { "aria-hidden": "true" }, "→ "), make("strong", { class: "code" }, plain(call.tool, 120)), named.length || call.faults.length ? null : " without arguments"),
      rows.length ? make("dl", { class: "arguments" }, ...rows) : null,
      ...rest,
    );
  }

  function faultParts(fault, key) {
    const inside = key && fault.at !== `/${key}` ? `${plain(fault.at.slice(key.length + 2), 120)}: ` : "";
    const parts = [make("p", { class: fault.note ? "remark" : "wrong" }, inside, plain(fault.text))];
    if (fault.looser) parts.push(make("p", { class: "quiet" }, "The model could not know: ", ...sentence(fault.looser)));
    return parts;
  }

  /* ---- start ---- */

  byId("server").addEventListener("change", (event) => {
    state.server = Number(event.target.value);
    state.all = false;
    draw();
  });
  byId("tabs").addEventListener("keydown", tabKeys);
  byId("jump").addEventListener("change", (event) => {
    if (event.target.value !== "") jumpTo(Number(event.target.value));
    event.target.value = "";
  });
  byId("copy-form").addEventListener("click", () => copy(form().text, `The list for ${PROVIDERS[state.provider]}`));
  byId("copy-markdown").addEventListener("click", () => copy(extra().markdown ?? "", "The report"));
  byId("check-again").addEventListener("click", () => {
    byId("check-again").disabled = true;
    say("Asking the running server …");
    send({ type: "checkLive" });
  });
  byId("try-form").addEventListener("submit", submit);
  byId("try-saved").addEventListener("click", () => attempt({ saved: true }));
  window.addEventListener("message", (event) => {
    if (webview) receive(event.data);
  });
  state.server = Math.min(data.chosen ?? 0, Math.max(0, servers().length - 1));
  restore();
  setModels(data.models);
  draw();
  document.addEventListener("input", keep);
  if (webview || (mode === "browser" && can("try"))) send({ type: "ready" });
  if (mode === "browser") watch();
})();
