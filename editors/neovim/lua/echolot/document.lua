-- Texts that the server makes: provider JSON in scratch buffers that follow the source, and floating windows for short ones.
local M = {}

local followed = {} ---@type table<integer, { uri: string, server: string?, live: boolean?, provider: string }>

local function fill(buffer, text, filetype)
  local lines = vim.split(text, '\n', { plain = true })
  if vim.deep_equal(lines, vim.api.nvim_buf_get_lines(buffer, 0, -1, false)) then return end
  vim.bo[buffer].modifiable = true
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
  vim.bo[buffer].modifiable = false
  vim.bo[buffer].modified = false
  if vim.bo[buffer].filetype ~= filetype then vim.bo[buffer].filetype = filetype end
end

local marked = vim.api.nvim_create_namespace('echolot-lost')

--- Shows what was lost on the way to the provider, beside the lines where it stood.
local function mark(buffer, marks)
  local last = vim.api.nvim_buf_line_count(buffer) - 1
  local found = vim.tbl_map(function(each)
    return { lnum = math.min(each.line, last), col = 0, severity = vim.diagnostic.severity.HINT, source = 'echolot', message = each.text }
  end, marks or {})
  vim.diagnostic.set(marked, buffer, found)
end

local function scratch(name)
  local buffer = vim.fn.bufadd(name)
  vim.fn.bufload(buffer)
  vim.bo[buffer].buftype = 'nofile'
  vim.bo[buffer].swapfile = false
  vim.bo[buffer].bufhidden = 'wipe'
  return buffer
end

--- Opens a provider's form of the list beside the source; it follows the source until it is closed.
---@param target { uri: string, server: string?, provider: string }
function M.open_json(target)
  local server = require('echolot.server')
  local source = vim.uri_to_bufnr(target.uri)
  local client = assert(server.client(source))
  server.execute(client, 'openProviderJson', vim.tbl_extend('force', target, { show = false }), function(answer)
    local of = { vim.fn.fnamemodify(vim.uri_to_fname(target.uri), ':~:.') }
    vim.list_extend(of, { target.server })
    vim.list_extend(of, { target.live and 'live' or nil })
    local buffer = scratch(('echolot-json://%s/%s.json'):format(table.concat(of, '/'), target.provider))
    fill(buffer, answer.text, 'json')
    mark(buffer, answer.marks)
    followed[buffer] = target
    vim.api.nvim_create_autocmd('BufWipeout', { buffer = buffer, once = true, callback = function() followed[buffer] = nil end })
    if vim.fn.bufwinid(buffer) == -1 then vim.cmd(('vertical sbuffer %d'):format(buffer)) end
  end, source)
end

--- The report of a document has changed: its JSON buffers are filled anew.
---@param uri string
function M.refresh(uri)
  local server = require('echolot.server')
  for buffer, target in pairs(followed) do
    local source = vim.uri_to_bufnr(target.uri)
    local client = target.uri == uri and server.client(source)
    if client then
      server.execute(client, 'openProviderJson', vim.tbl_extend('force', target, { show = false }), function(answer)
        if not vim.api.nvim_buf_is_valid(buffer) then return end
        fill(buffer, answer.text, 'json')
        mark(buffer, answer.marks)
      end, source)
    end
  end
end

--- Fills a buffer whose name is a document of the server (window/showDocument opens it by its URI).
---@param buffer integer
---@param uri string
function M.read(buffer, uri)
  local client = require('echolot.server').client()
  if not client then return end
  vim.bo[buffer].buftype = 'nofile'
  vim.bo[buffer].swapfile = false
  local answered = function(err, answer)
    if err then return vim.notify(err.message, vim.log.levels.WARN, { title = 'Echolot' }) end
    fill(buffer, answer.text, 'json')
  end
  require('echolot.server').request(client, 'workspace/textDocumentContent', { uri = uri }, answered, buffer)
end

--- A document of the server has another text: its buffer is filled anew.
---@param uri string
function M.reread(uri)
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buffer) and vim.api.nvim_buf_get_name(buffer) == uri then M.read(buffer, uri) end
  end
end

--- What a buffer is about: itself, or the source of the provider JSON that it shows.
---@param buffer integer
---@return { uri: string, server: string? }
function M.target(buffer)
  local target = followed[buffer]
  if target then return { uri = target.uri, server = target.server, live = target.live } end
  return { uri = vim.uri_from_bufnr(buffer) }
end

--- Shows a text in a floating window; `q` or <Esc> closes it.
---@param title string
---@param text string
---@param filetype string
function M.float(title, text, filetype)
  local lines = vim.split(text, '\n', { plain = true })
  local width = 20
  for _, line in ipairs(lines) do width = math.max(width, vim.fn.strdisplaywidth(line)) end
  width = math.min(width, math.floor(vim.o.columns * 0.85))
  local height = math.max(1, math.min(#lines, math.floor(vim.o.lines * 0.75)))
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.bo[buffer].bufhidden = 'wipe'
  fill(buffer, text, filetype)
  local window = vim.api.nvim_open_win(buffer, true, {
    relative = 'editor', width = width, height = height, style = 'minimal', border = 'rounded', title = ' ' .. title .. ' ',
    row = math.floor((vim.o.lines - height) / 2), col = math.floor((vim.o.columns - width) / 2),
  })
  vim.wo[window].wrap = true
  vim.wo[window].linebreak = true
  for _, key in ipairs({ 'q', '<Esc>' }) do vim.keymap.set('n', key, '<cmd>close<cr>', { buffer = buffer, nowait = true }) end
  return window
end

return M
