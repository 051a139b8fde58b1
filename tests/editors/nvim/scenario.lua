-- One session in a real Neovim through our own plugin: every command and feature, as a person would use them.
-- Environment: ECHOLOT_NVIM (JSON): { plugin, cmd, folder, diagnostics: {file: count}, model, cloud }. Prints one JSON object: what was seen, by step.
local given = vim.json.decode(assert(vim.env.ECHOLOT_NVIM))
local seen, LIMIT, FIRST = { steps = {}, errors = {}, seconds = {} }, 15000, 60000
local MODERN = vim.fn.has('nvim-0.11') == 1
local opened, asked, notes, answers, progress = {}, {}, {}, {}, {}

local function finish()
  io.stdout:write(vim.json.encode(seen) .. '\n')
  vim.cmd('qa!')
end

local function until_true(what, condition, limit)
  if not vim.wait(limit or LIMIT, condition, 20) then error('waited in vain for ' .. what, 0) end
end

local function step(name, act)
  local begun = vim.uv.hrtime()
  local ok, result = xpcall(act, function(err) return tostring(err) end)
  if ok then seen.steps[name] = result == nil and true or result else seen.errors[name] = result end
  seen.seconds[name] = math.floor((vim.uv.hrtime() - begun) / 1e8) / 10
end

local function floats()
  return vim.tbl_filter(function(window) return vim.api.nvim_win_get_config(window).relative ~= '' end, vim.api.nvim_list_wins())
end

local function text_of(buffer) return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\n') end

local function float_text(what)
  until_true('a floating window: ' .. what .. '; said: ' .. (notes[#notes] or 'nothing'), function() return #floats() > 0 end, 30000)
  local window = floats()[1]
  local text = text_of(vim.api.nvim_win_get_buf(window))
  vim.api.nvim_win_close(window, true)
  return text
end

local function note(what, count)
  until_true('a message: ' .. what, function() return #notes > count end)
  return notes[#notes]
end

local function find(buffer, needle)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, false)) do
    local column = line:find(needle, 1, true)
    if column then return number, column - 1 end
  end
  error('no line holds ' .. needle, 0)
end

--- Puts the cursor on the last byte of a text.
local function cursor(buffer, needle)
  vim.api.nvim_set_current_win(vim.fn.bufwinid(buffer))
  local line, column = find(buffer, needle)
  vim.api.nvim_win_set_cursor(0, { line, column + #needle - 1 })
end

local function change(buffer, from, to)
  local number = find(buffer, from)
  local line = vim.api.nvim_buf_get_lines(buffer, number - 1, number, false)[1]
  local start, stop = line:find(from, 1, true)
  vim.api.nvim_buf_set_lines(buffer, number - 1, number, false, { line:sub(1, start - 1) .. to .. line:sub(stop + 1) })
end

local function write(name, text)
  local file = assert(io.open(given.folder .. '/' .. name, 'w'))
  file:write(text)
  file:close()
end

local function tell(client, method, params) if MODERN then client:notify(method, params) else client.notify(method, params) end end

local function diagnostics(buffer)
  return vim.tbl_map(function(diagnostic)
    local text = vim.api.nvim_buf_get_text(buffer, diagnostic.lnum, diagnostic.col, diagnostic.end_lnum, diagnostic.end_col, {})
    return { code = diagnostic.code, source = diagnostic.source, severity = diagnostic.severity, line = diagnostic.lnum, text = table.concat(text, '\n') }
  end, vim.diagnostic.get(buffer))
end

local function act(title)
  local offered = {}
  vim.lsp.buf.code_action({ apply = true, filter = function(action)
    table.insert(offered, action.title)
    return action.title:find(title, 1, true) ~= nil
  end })
  return offered
end

local function lenses(buffer)
  return vim.tbl_map(function(lens) return lens.command.title end, vim.lsp.codelens.get(buffer))
end

local function labels(buffer)
  return vim.tbl_map(function(hint) return hint.inlay_hint.label end, vim.lsp.inlay_hint.get({ bufnr = buffer }))
end

-- what the editor would open outside, ask or say is recorded; a question is answered with the next of `answers`, else with yes
vim.ui.open = function(path) table.insert(opened, path); return { wait = function() return { code = 0 } end }, nil end
local function answered(prompt) table.insert(asked, prompt); return table.remove(answers, 1) or 1 end
vim.ui.select = function(items, options, done) done(items[answered(options.prompt or '')]) end
vim.ui.input = function(options, done) table.insert(asked, options.prompt); done('Is the two-person tent in stock?') end
vim.fn.inputlist = function(lines) return answered(lines[1]) end
vim.notify = function(text) table.insert(notes, text) end
vim.api.nvim_create_autocmd('LspProgress', { callback = function(event) table.insert(progress, event.data.params.value.kind) end })

vim.opt.runtimepath:prepend(given.plugin)
vim.cmd('runtime! plugin/*.lua')
local echolot, server = require('echolot'), require('echolot.server')
echolot.setup({ cmd = given.cmd })

local shop, tools, client
local function buffer_of(name, ready)
  local found
  until_true('a buffer ' .. name, function()
    for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
      if vim.api.nvim_buf_get_name(buffer):find(name, 1, true) and text_of(buffer):find(ready, 1, true) then found = buffer; return true end
    end
  end)
  return found
end

step('starts where there is MCP', function()
  vim.cmd.edit(given.folder .. '/plain.py')
  vim.wait(300)
  assert(#vim.lsp.get_clients() == 0, 'a server runs for a file without MCP')
  vim.cmd.edit(given.folder .. '/shop.py')
  shop = vim.api.nvim_get_current_buf()
  until_true('the server', function() client = server.client(shop); return client and client.initialized end, FIRST)
  return { encoding = client.offset_encoding, root = client.root_dir, modern = MODERN }
end)
if not client then return finish() end

step('diagnostics', function()
  until_true('diagnostics', function() return #vim.diagnostic.get(shop) >= given.diagnostics['shop.py'] end, FIRST)
  return diagnostics(shop)
end)

step('hints', function()
  until_true('hints', function() return #labels(shop) >= 7 end, FIRST)
  return labels(shop)
end)

step('lenses', function()
  until_true('lenses', function() return (lenses(shop)[1] or ''):find('≈') end, FIRST)
  return lenses(shop)
end)

step('two buffers', function()
  vim.cmd.split(given.folder .. '/tools.json')
  tools = vim.api.nvim_get_current_buf()
  until_true('the other buffer', function() return server.client(tools) end)
  until_true('its diagnostics', function() return #vim.diagnostic.get(tools) >= given.diagnostics['tools.json'] end)
  assert(server.client(tools).id == client.id, 'two servers in one workspace')
  until_true('its hints', function() return #labels(tools) >= 1 end)
  return diagnostics(tools)
end)

step('a module without MCP joins the server of its folder', function()
  vim.cmd.edit(given.folder .. '/plain.py')
  until_true('the server in it', function() return server.client(0) end)
  local buffer = vim.api.nvim_get_current_buf()
  assert(#vim.diagnostic.get(buffer) == 0, 'findings where there is no tool')
  vim.cmd.only({ mods = { silent = true } })
  vim.cmd.buffer(shop)
end)

step('statusline', function()
  until_true('a statusline', function() return echolot.statusline(shop):find('≈') end)
  return echolot.statusline(shop)
end)

step('hover', function()
  cursor(shop, 'def check_stock')
  vim.wait(100)
  vim.lsp.buf.hover()
  return float_text('hover')
end)

step('hints stay while another function is typed', function()
  local function places() return vim.tbl_map(function(hint) return { hint.inlay_hint.position.line, hint.inlay_hint.label } end, vim.lsp.inlay_hint.get({ bufnr = shop })) end
  local before, moved = places(), nil
  local last = vim.api.nvim_buf_line_count(shop)
  local line = ''
  vim.api.nvim_buf_set_lines(shop, last, last, false, { '', '@mcp.tool', '' })
  for sign in ('def half(of: str'):gmatch('.') do
    line = line .. sign
    vim.api.nvim_buf_set_lines(shop, last + 2, last + 3, false, { line })
    vim.wait(60, function()
      if not vim.deep_equal(before, places()) then moved = moved or { line, places() } end
    end, 10)
  end
  vim.wait(800)
  local after = places()
  vim.cmd.undo()
  vim.api.nvim_buf_set_lines(shop, last, -1, false, {})
  assert(not moved and vim.deep_equal(before, after), 'the hints moved: ' .. vim.inspect(moved or after))
end)

step('json follows the source', function()
  local ready = { anthropic = '"input_schema"', openai = '"parameters"', gemini = '"functionDeclarations"' }
  local buffers = {}
  for provider, key in pairs(ready) do
    vim.cmd.buffer(shop)
    vim.cmd('Echolot json ' .. provider)
    buffers[provider] = buffer_of('shop.py/' .. provider .. '.json', key)
    local buffer = buffers[provider]
    assert(vim.bo[buffer].filetype == 'json' and not vim.bo[buffer].modifiable and not vim.bo[buffer].modified, 'the JSON buffer can be changed')
    vim.cmd.only({ mods = { silent = true } })
    vim.bo[buffer].bufhidden = 'hide'
    vim.cmd('vertical sbuffer ' .. buffer)
    vim.cmd.wincmd('p')
  end
  for _, buffer in pairs(buffers) do if vim.fn.bufwinid(buffer) == -1 then vim.cmd('sbuffer ' .. buffer) end end
  local lost = vim.diagnostic.get(buffers.gemini)
  assert(#lost > 0, 'what Gemini loses is not marked')
  for _, each in ipairs(lost) do assert(each.severity == vim.diagnostic.severity.HINT and each.message:find('Gemini', 1, true), each.message) end
  assert(#vim.diagnostic.get(buffers.openai) == 0, 'OpenAI loses nothing of this list')
  change(shop, 'Find products', 'Look up products')
  for provider, buffer in pairs(buffers) do
    until_true(provider .. ' to follow', function() return text_of(buffer):find('Look up products', 1, true) end)
  end
  change(shop, 'Look up products', 'Find products')
  for provider, buffer in pairs(buffers) do
    until_true(provider .. ' to follow back', function() return text_of(buffer):find('Find products', 1, true) end)
  end
  local texts = {}
  for provider, buffer in pairs(buffers) do
    texts[provider] = text_of(buffer)
    vim.api.nvim_buf_delete(buffer, { force = true })
  end
  vim.cmd.buffer(shop)
  vim.cmd.only({ mods = { silent = true } })
  return texts
end)

step('the virtual document of the server', function()
  local params = { command = 'echolot.server.openProviderJson', arguments = { { uri = vim.uri_from_bufnr(shop), provider = 'openai' } } }
  server.request(client, 'workspace/executeCommand', params, function() end, shop)
  local buffer = buffer_of('echolot:/', '"parameters"')
  assert(vim.bo[buffer].filetype == 'json' and vim.fn.bufwinid(buffer) ~= -1, 'it is not shown as JSON')
  vim.api.nvim_set_current_buf(shop)
  vim.cmd('sbuffer ' .. buffer)
  change(shop, 'Find products', 'Look up products')
  until_true('it to follow', function() return text_of(buffer):find('Look up products', 1, true) end)
  change(shop, 'Look up products', 'Find products')
  local name = vim.api.nvim_buf_get_name(buffer)
  vim.api.nvim_buf_delete(buffer, { force = true })
  return name
end)

step('quick fix', function()
  local before = #vim.diagnostic.get(shop)
  cursor(shop, '"trail.weather')
  local offered = act('Name the tool "trail_weather"')
  until_true('the fix', function() return text_of(shop):find('"trail_weather"', 1, true) end)
  until_true('the finding to go', function() return #vim.diagnostic.get(shop) < before end)
  return offered
end)

step('ignore here', function()
  local before = #vim.diagnostic.get(shop)
  cursor(shop, 'def cancel_reservation')
  local offered = act('Ignore no-description on this line')
  until_true('the comment', function() return text_of(shop):find('# echolot: ignore[no-description]', 1, true) end)
  until_true('the finding to go', function() return #vim.diagnostic.get(shop) < before end)
  return offered
end)

step('completion in a comment', function()
  local line = find(shop, '# echolot: ignore[no-description]')
  local text = vim.api.nvim_buf_get_lines(shop, line - 1, line, false)[1]
  local column = text:find('no-description]', 1, true) - 1
  local params = { textDocument = { uri = vim.uri_from_bufnr(shop) }, position = { line = line - 1, character = column } }
  local found
  server.request(client, 'textDocument/completion', params, function(_, result) found = result or {} end, shop)
  until_true('completion', function() return found end)
  return vim.tbl_map(function(item) return item.label end, found.items or found)
end)

step('explain', function()
  vim.cmd('Echolot explain param-no-type')
  return float_text('the rule')
end)

step('explain what is under the cursor', function()
  cursor(shop, 'branch')
  vim.cmd('Echolot explain')
  return float_text('the rule here')
end)

step('info', function()
  vim.cmd('Echolot info')
  return float_text('debug info')
end)

step('copy', function()
  vim.cmd('Echolot copy')
  until_true('the copy', function() return vim.fn.getreg('"'):find('check_stock', 1, true) end)
  return vim.fn.getreg('"')
end)

step('card', function()
  vim.cmd('Echolot card')
  until_true('the page', function() return #opened > 0 end)
  return opened[1]
end)

step('try on this machine', function()
  vim.cmd('Echolot try')
  local text = float_text('the trial')
  assert(#asked == 1, 'asked: ' .. vim.inspect(asked))
  return text
end)

step('settings are taken up without a restart', function()
  local before = #vim.diagnostic.get(shop)
  vim.cmd.split(given.folder .. '/echolot.toml')
  local settings = vim.api.nvim_get_current_buf()
  until_true('the server on the settings', function() return server.client(settings) end)
  vim.api.nvim_buf_set_lines(settings, -1, -1, false, { 'ignore = ["param-*"]' })
  vim.cmd('silent write')
  until_true('fewer findings', function() return #vim.diagnostic.get(shop) < before end)
  vim.api.nvim_buf_set_lines(settings, -2, -1, false, { 'ingore = ["param-*"]' })
  vim.cmd('silent write')
  until_true('the findings to come back', function() return #vim.diagnostic.get(shop) == before end)
  until_true('the misspelt key', function() return #vim.diagnostic.get(settings) == 1 end)
  local found = diagnostics(settings)
  vim.api.nvim_buf_set_lines(settings, -2, -1, false, {})
  vim.cmd('silent write')
  until_true('the settings to be right', function() return #vim.diagnostic.get(settings) == 0 end)
  vim.cmd.bdelete()
  return found
end)

step('consent for a cloud model behind a local port', function()
  local said, questions = #notes, #asked
  write('echolot.toml', ('trial-model = "%s"\n'):format(given.cloud))
  tell(client, 'workspace/didChangeWatchedFiles', { changes = { { uri = vim.uri_from_fname(given.folder .. '/echolot.toml'), type = 2 } } })
  answers = { 2 }
  vim.cmd('Echolot try Is the two-person tent in stock?')
  local refusal = note('that nothing was sent', said)
  assert(#asked == questions + 1, 'nothing was asked')
  vim.cmd('Echolot try Is the two-person tent in stock?')
  local text = float_text('the trial')
  vim.cmd('Echolot try Is the two-person tent in stock?')
  float_text('the second trial')
  assert(#asked == questions + 2, 'asked again after a yes')
  return { question = asked[questions + 1], refusal = refusal, text = text }
end)

local config
step('live, in a TypeScript source', function()
  vim.cmd.edit(given.folder .. '/.vscode/mcp.json')
  config = vim.api.nvim_get_current_buf()
  until_true('the server on the configuration', function() return server.client(config) end)
  until_true('lenses on the entries', function() return #vim.lsp.codelens.get(config) >= 2 end)
  local questions, offered = #asked, lenses(config)
  vim.cmd('Echolot live depot')
  local text = float_text('the live report')
  assert(#asked == questions + 1, 'nothing was asked before the process was started')
  local source = vim.fn.bufadd(given.folder .. '/src/index.ts')
  vim.fn.bufload(source)
  until_true('findings in the TypeScript source', function() return #vim.diagnostic.get(source) > 0 end)
  until_true('progress to end', function() return vim.list_contains(progress, 'end') end)
  return { report = text, asked = asked[#asked], found = diagnostics(source), progress = progress, lenses = offered }
end)

step('live JSON of an entry', function()
  until_true('more lenses', function() return vim.iter(lenses(config)):any(function(title) return title == 'Provider JSON' end) end)
  cursor(config, '"depot"')
  act('depot: Provider JSON')
  local buffer = buffer_of('live/anthropic.json', 'find_parcel')
  local text = text_of(buffer)
  vim.api.nvim_buf_delete(buffer, { force = true })
  return text
end)

step('live is cancelled', function()
  vim.cmd.buffer(config)
  vim.cmd.only({ mods = { silent = true } })
  progress = {}
  local said = #notes
  vim.cmd('Echolot live silent')
  until_true('progress', function() return vim.list_contains(progress, 'begin') end)
  local pid = given.folder .. '/silent.pid'
  until_true('the process', function() return vim.uv.fs_stat(pid) end)
  vim.cmd('Echolot cancel')
  until_true('the end of it', function() return vim.list_contains(progress, 'end') end)
  local words = note('that it was stopped', said)
  local number = tonumber(io.open(pid):read('a'))
  until_true('the process to be gone', function() return not vim.uv.fs_stat('/proc/' .. number) or vim.uv.kill(number, 0) ~= 0 end)
  return words
end)

step('restart keeps the buffers', function()
  vim.cmd.buffer(shop)
  local id = client.id
  vim.cmd('Echolot restart')
  until_true('another server', function() client = server.client(shop); return client and client.id ~= id and client.initialized end, FIRST)
  until_true('the other buffer', function() local other = server.client(tools); return other and other.id == client.id end)
  until_true('diagnostics again', function() return #vim.diagnostic.get(shop) > 0 and #vim.diagnostic.get(tools) > 0 end, FIRST)
  assert(#vim.lsp.get_clients({ name = 'echolot' }) == 1, 'more than one server runs')
end)

step('words are completed', function()
  return { words = vim.fn.getcompletion('Echolot ', 'cmdline'), providers = vim.fn.getcompletion('Echolot json ', 'cmdline'), some = vim.fn.getcompletion('Echolot c', 'cmdline') }
end)

step('a wrong word is said to be wrong', function()
  local said = #notes
  vim.cmd('Echolot sing')
  vim.cmd('Echolot json mistral')
  return { notes[said + 1], notes[said + 2] }
end)

step('health', function()
  vim.cmd('checkhealth echolot')
  return text_of(0)
end)

step('help', function()
  vim.cmd('helptags ' .. given.plugin .. '/doc')
  local found = {}
  for _, tag in ipairs({ 'echolot', 'echolot-setup', ':Echolot', 'echolot-statusline', 'echolot-health' }) do
    vim.cmd('help ' .. tag)
    found[tag] = vim.fs.basename(vim.api.nvim_buf_get_name(0))
  end
  return { tags = found, text = text_of(0) }
end)

finish()
