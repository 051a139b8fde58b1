-- Where the language server is started (where there is MCP), and how.
local M = {}

local MODERN = vim.fn.has('nvim-0.11') == 1
local LINES_READ = 5000
local JSON_KEYS = { '"inputSchema"', '"input_schema"', '"functionDeclarations"', '"function_declarations"', '"parametersJsonSchema"', '"languageModelTools"', '"mcpServers"' }
local WATCHED = { '*.py', '*.pyi', '*.json', '*.jsonc', 'echolot.toml', 'pyproject.toml', '*.lock', 'requirements.txt', '.python-version' }
local ROOT_MARKS = { '.echolot', 'echolot.toml', 'pyproject.toml', 'package.json', '.vscode', '.git' }

--- Whether a buffer has anything to do with MCP.
---@param buffer integer
---@return boolean
function M.holds_mcp(buffer)
  local name = vim.fs.basename(vim.api.nvim_buf_get_name(buffer)) or ''
  if name == 'mcp.json' or name == '.mcp.json' or name == 'claude_desktop_config.json' then return true end
  local lines = vim.api.nvim_buf_get_lines(buffer, 0, LINES_READ, false)
  if vim.bo[buffer].filetype == 'python' then
    local mcp, tool = false, false
    for _, line in ipairs(lines) do
      local module = line:match('^%s*from%s+([%w_]+)') or line:match('^%s*import%s+([%w_]+)')
      if module == 'mcp' or module == 'fastmcp' then return true end
      mcp = mcp or line:find('%f[%w_]mcp%f[^%w_]') ~= nil
      tool = tool or line:find('^%s*@[%w_%.]+%.tool%f[^%w_]') ~= nil or line:find('tools/list', 1, true) ~= nil
    end
    return mcp and tool
  end
  local text = table.concat(lines, '\n')
  if vim.bo[buffer].filetype == 'toml' then return name == 'echolot.toml' or text:find('[tool.echolot', 1, true) ~= nil end
  for _, key in ipairs(JSON_KEYS) do
    if text:find(key, 1, true) then return true end
  end
  return text:find('"type"%s*:%s*"function"') ~= nil
end

local function root(buffer) return vim.fs.root(buffer, ROOT_MARKS) or vim.fs.dirname(vim.api.nvim_buf_get_name(buffer)) end

-- a module that only takes part in a server (`from app import server`) belongs to it once that server is looked at
local function belongs(buffer)
  if M.holds_mcp(buffer) then return true end
  if vim.bo[buffer].filetype ~= 'python' then return false end
  local folder = root(buffer)
  for _, client in ipairs(vim.lsp.get_clients({ name = 'echolot' })) do
    if client.root_dir == folder then return true end
  end
  return false
end

local function capabilities()
  local announced = vim.lsp.protocol.make_client_capabilities()
  announced.workspace.textDocumentContent = { dynamicRegistration = false }
  return announced
end

local function attached(client, buffer)
  local options = require('echolot').options
  local supports = function(method)
    if MODERN then return client:supports_method(method) end
    return client.supports_method(method)
  end
  if options.hints and vim.lsp.inlay_hint and supports('textDocument/inlayHint') then vim.lsp.inlay_hint.enable(true, { bufnr = buffer }) end
  if options.lenses and supports('textDocument/codeLens') then
    vim.lsp.codelens.refresh({ bufnr = buffer })
    vim.api.nvim_create_autocmd({ 'BufEnter', 'InsertLeave', 'BufWritePost' }, {
      buffer = buffer,
      group = vim.api.nvim_create_augroup('echolot.lenses.' .. buffer, { clear = true }),
      callback = function() vim.lsp.codelens.refresh({ bufnr = buffer }) end,
    })
  end
  require('echolot.status').refresh(buffer)
end

--- The client's configuration; `root_dir` starts nothing where there is no MCP.
---@return vim.lsp.Config
function M.config()
  local options = require('echolot').options
  return {
    cmd = options.cmd or { 'echolot-lsp' }, -- from PATH, never from the folder that is looked at
    filetypes = options.filetypes,
    root_dir = function(buffer, start)
      if belongs(buffer) then start(root(buffer)) end
    end,
    capabilities = capabilities(),
    settings = { echolot = options.settings },
    init_options = { echolot = { serversChanged = true } },
    on_attach = attached,
    commands = require('echolot.commands').of_lenses(),
    handlers = {
      ['workspace/textDocumentContent/refresh'] = function(_, message)
        require('echolot.document').reread(message.uri)
        return vim.NIL
      end,
      ['echolot/serversChanged'] = function(_, message)
        if not message then return end
        local buffer = vim.uri_to_bufnr(message.uri)
        require('echolot.status').refresh(buffer)
        require('echolot.document').refresh(message.uri)
        if options.lenses and vim.api.nvim_buf_is_loaded(buffer) then vim.lsp.codelens.refresh({ bufnr = buffer }) end
      end,
    },
  }
end

local function tell(client, method, params)
  if MODERN then client:notify(method, params) else client.notify(method, params) end
end

--- Starts the server for a buffer that has come to hold MCP (0.10: for every such buffer), and tells of files that were written:
--- Neovim does not watch files by itself on Linux.
function M.watch()
  local options = require('echolot').options
  local group = vim.api.nvim_create_augroup('echolot', { clear = true })
  vim.api.nvim_create_autocmd({ 'FileType', 'BufEnter', 'InsertLeave', 'TextChanged' }, {
    group = group,
    callback = function(event)
      local buffer = event.buf
      if vim.bo[buffer].buftype ~= '' or not vim.tbl_contains(options.filetypes, vim.bo[buffer].filetype) then return end
      if (MODERN and event.event == 'FileType') or M.client(buffer) or not belongs(buffer) then return end
      local config = vim.tbl_extend('force', M.config(), { name = 'echolot', root_dir = root(buffer) })
      vim.lsp.start(config, { bufnr = buffer })
    end,
  })
  vim.api.nvim_create_autocmd('BufWritePost', {
    group = group,
    pattern = WATCHED,
    callback = function(event)
      local change = { uri = vim.uri_from_bufnr(event.buf), type = 2 }
      for _, client in ipairs(vim.lsp.get_clients({ name = 'echolot' })) do
        if not client.attached_buffers[event.buf] then tell(client, 'workspace/didChangeWatchedFiles', { changes = { change } }) end
      end
    end,
  })
end

--- Asks the server to stop what it shows progress of.
---@param client vim.lsp.Client
---@return integer stopped
function M.cancel(client)
  local tokens = vim.tbl_keys(client.progress.pending)
  for _, token in ipairs(tokens) do tell(client, 'window/workDoneProgress/cancel', { token = token }) end
  return #tokens
end

--- The client of a buffer, or nil.
---@param buffer? integer
---@return vim.lsp.Client?
function M.client(buffer) return vim.lsp.get_clients({ name = 'echolot', bufnr = buffer })[1] end

--- 0.10's clients take no self.
function M.request(client, ...)
  if MODERN then client:request(...) else client.request(...) end
end

--- Asks the server to run one of its commands; `done` gets the answer, errors are shown as one sentence.
---@param client vim.lsp.Client
---@param name string
---@param argument table
---@param done fun(answer: any)
---@param buffer? integer
function M.execute(client, name, argument, done, buffer)
  local params = { command = 'echolot.server.' .. name, arguments = { argument } }
  local answered = function(err, answer)
    if err then return vim.notify(err.message, vim.log.levels.WARN, { title = 'Echolot' }) end
    if answer ~= nil and answer ~= vim.NIL then done(answer) end
  end
  M.request(client, 'workspace/executeCommand', params, answered, buffer)
end

function M.restart()
  local clients = vim.lsp.get_clients({ name = 'echolot' })
  local buffers = {}
  for _, client in ipairs(clients) do
    vim.list_extend(buffers, vim.tbl_keys(client.attached_buffers))
    if MODERN then client:stop() else client.stop() end
  end
  local gone = function() return #vim.lsp.get_clients({ name = 'echolot' }) == 0 end
  vim.wait(3000, gone, 20)
  for _, buffer in ipairs(buffers) do
    if vim.api.nvim_buf_is_valid(buffer) then
      vim.lsp.start(vim.tbl_extend('force', M.config(), { name = 'echolot', root_dir = root(buffer) }), { bufnr = buffer })
    end
  end
end

return M
