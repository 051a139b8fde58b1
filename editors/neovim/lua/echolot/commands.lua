-- :Echolot and its words.
local M = {}

local PROVIDERS = { 'anthropic', 'openai', 'gemini' }

local function warn(text) vim.notify(text, vim.log.levels.WARN, { title = 'Echolot' }) end

local function shown(answer)
  if answer.text and answer.text ~= vim.NIL then require('echolot.document').float(answer.title, answer.text, answer.language or 'markdown') end
end

local function rule_here()
  local line = vim.api.nvim_win_get_cursor(0)[1] - 1
  for _, diagnostic in ipairs(vim.diagnostic.get(0, { lnum = line })) do
    if diagnostic.source == 'echolot' then return diagnostic.code end
  end
end

local words = {}

function words.card(client, target)
  require('echolot.server').execute(client, 'openCard', vim.tbl_extend('force', target, { mode = 'browser' }), function(answer)
    if answer.uri then vim.notify(('The card is at %s'):format(answer.uri), vim.log.levels.INFO, { title = 'Echolot' }) end
  end)
end

function words.json(_, target, rest)
  local provider = rest[1] or 'anthropic'
  if not vim.tbl_contains(PROVIDERS, provider) then return warn(('%s is no provider; say anthropic, openai or gemini.'):format(provider)) end
  require('echolot.document').open_json(vim.tbl_extend('force', target, { provider = provider }))
end

words['try'] = function(client, target, rest)
  local ask = function(prompt)
    if not prompt or prompt == '' then return end
    require('echolot.server').execute(client, 'tryWithModel', vim.tbl_extend('force', target, { prompt = prompt, show = false }), shown)
  end
  if #rest > 0 then return ask(table.concat(rest, ' ')) end
  vim.ui.input({ prompt = 'What might someone ask an agent to do? ' }, ask)
end

function words.live(client, target, rest)
  require('echolot.server').execute(client, 'checkLive', vim.tbl_extend('force', target, { entry = rest[1], show = false }), shown)
end

function words.cancel(client)
  -- what was under way answers that it was cancelled
  if require('echolot.server').cancel(client) == 0 then warn('Nothing is under way.') end
end

function words.explain(client, _, rest)
  local rule = rest[1] or rule_here()
  if not rule then return warn('Name a rule, or put the cursor on a finding.') end
  require('echolot.server').execute(client, 'explainRule', { rule = rule, show = false }, shown)
end

function words.copy(client, target)
  require('echolot.server').execute(client, 'copyMarkdown', target, function(answer)
    vim.fn.setreg('"', answer.text)
    pcall(vim.fn.setreg, '+', answer.text)
    vim.notify('The report was copied.', vim.log.levels.INFO, { title = 'Echolot' })
  end)
end

function words.info(client, target) require('echolot.server').execute(client, 'showDebugInfo', vim.tbl_extend('force', target, { show = false }), shown) end

function words.restart() require('echolot.server').restart() end

---@param args { fargs: string[] }
function M.run(args)
  local word = args.fargs[1]
  local action = words[word]
  if not action then return warn(('There is no :Echolot %s.'):format(word)) end
  local target = require('echolot.document').target(vim.api.nvim_get_current_buf())
  local server = require('echolot.server')
  local client = server.client(vim.uri_to_bufnr(target.uri)) or server.client()
  if not client and word ~= 'restart' then return warn("Echolot's language server is not running here: open a file that declares an MCP server.") end
  action(client, target, vim.list_slice(args.fargs, 2))
end

--- What a lens or a code action of the server does here: its answers are shown as :Echolot shows them.
---@return table<string, fun(command: lsp.Command, context: table)>
function M.of_lenses()
  local function by(word, rest)
    return function(command, context)
      local client = assert(vim.lsp.get_client_by_id(context.client_id))
      local argument = vim.deepcopy((command.arguments or {})[1] or {})
      words[word](client, argument, rest and { argument[rest] } or {})
    end
  end
  return {
    ['echolot.server.openCard'] = by('card'),
    ['echolot.server.openProviderJson'] = by('json', 'provider'),
    ['echolot.server.checkLive'] = by('live', 'entry'),
    ['echolot.server.explainRule'] = by('explain', 'rule'),
  }
end

---@param lead string
---@param line string
function M.complete(lead, line)
  local before = vim.split(line:sub(1, #line - #lead), '%s+', { trimempty = true })
  local choices = #before <= 1 and vim.tbl_keys(words) or before[2] == 'json' and PROVIDERS or {}
  table.sort(choices)
  return vim.tbl_filter(function(choice) return vim.startswith(choice, lead) end, choices)
end

return M
