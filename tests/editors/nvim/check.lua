-- The language server in a real, headless Neovim: what a person would see. Driven by check.py, which also says what is expected.
-- In: env CHECK (JSON): {cmd = [...], file = ..., root = ..., settings = file to write at the end}. Out: one JSON object on stdout.
local cfg = vim.json.decode((assert(vim.env.CHECK, 'CHECK is not set')))
local LIMIT = 60000
local seen = {}
local function wait(condition) return vim.wait(LIMIT, condition, 20) end

local ok, err = xpcall(function()
  vim.lsp.config('echolot', { cmd = cfg.cmd, filetypes = { 'python', 'json' }, root_dir = cfg.root })
  vim.lsp.enable('echolot')
  vim.cmd.edit(vim.fn.fnameescape(cfg.file))
  local buffer = vim.api.nvim_get_current_buf()
  local function diagnostics() return vim.diagnostic.get(buffer) end
  local function texts()
    local found = {}
    for _, each in ipairs(diagnostics()) do
      table.insert(found, {
        code = each.code, line = each.lnum, severity = each.severity,
        text = table.concat(vim.api.nvim_buf_get_text(buffer, each.lnum, each.col, each.end_lnum, each.end_col, {}), '\n'),
      })
    end
    return found
  end

  wait(function() return #diagnostics() > 0 end)
  local client = vim.lsp.get_clients({ bufnr = buffer })[1]
  seen.encoding = client.offset_encoding
  seen.diagnostics = texts()

  vim.lsp.inlay_hint.enable(true, { bufnr = buffer })
  local function hints() return vim.lsp.inlay_hint.get({ bufnr = buffer }) end
  wait(function() return #hints() > 0 end)
  seen.hints = vim.tbl_map(function(each) return { line = each.inlay_hint.position.line, label = each.inlay_hint.label } end, hints())

  vim.lsp.codelens.refresh({ bufnr = buffer })
  wait(function()
    local first = vim.lsp.codelens.get(buffer)[1]
    return first ~= nil and first.command ~= nil
  end)
  seen.lenses = vim.tbl_map(function(each) return { line = each.range.start.line, title = each.command.title } end, vim.lsp.codelens.get(buffer))

  local place = vim.fn.searchpos(cfg.hover, 'nw')
  vim.api.nvim_win_set_cursor(0, { place[1], place[2] - 1 })
  vim.lsp.buf.hover()
  local function float()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(window).relative ~= '' then return window end
    end
  end
  wait(function() return float() ~= nil end)
  if float() then
    seen.hover = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(float()), 0, -1, false)
    vim.api.nvim_win_close(float(), true)
  end

  local params = { command = 'echolot.server.openProviderJson', arguments = { { uri = vim.uri_from_bufnr(buffer), provider = 'gemini', show = false } } }
  local answer = client:request_sync('workspace/executeCommand', params, LIMIT, buffer)
  seen.provider = answer and answer.result or answer

  local chosen
  local before = #diagnostics()
  local at = diagnostics()[1]
  for _, each in ipairs(diagnostics()) do if each.code == cfg.fix then at = each end end
  vim.api.nvim_win_set_cursor(0, { at.lnum + 1, at.col })
  vim.lsp.buf.code_action({ apply = true, filter = function(action)
    if chosen or not action.title:find(cfg.action, 1, true) then return false end
    chosen = action.title
    return true
  end })
  wait(function() return #diagnostics() < before end)
  seen.chosen, seen.after = chosen, texts()

  vim.fn.writefile(vim.split(cfg.settings, '\n'), cfg.root .. '/echolot.toml')
  client:notify('workspace/didChangeWatchedFiles', { changes = { { uri = vim.uri_from_fname(cfg.root .. '/echolot.toml'), type = 1 } } })
  wait(function() return #diagnostics() == 0 end)
  seen.silenced = #diagnostics() == 0
end, debug.traceback)
if not ok then seen.error = err end
io.stdout:write(vim.json.encode(seen) .. '\n')
vim.cmd('qa!')
