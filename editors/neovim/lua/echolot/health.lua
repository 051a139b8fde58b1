-- :checkhealth echolot
local M = {}

function M.check()
  local health = vim.health
  health.start('Echolot')
  if vim.fn.has('nvim-0.11') == 1 then health.ok('Neovim ' .. tostring(vim.version())) else health.warn('Neovim 0.11 or newer has everything; 0.10 lacks virtual documents and some of the hints.') end
  local command = require('echolot.server').config().cmd[1]
  if vim.fn.executable(command) ~= 1 then
    health.error(('The language server %s is not there.'):format(command), { 'pip install echolot-lsp', "or name it: require('echolot').setup({ cmd = { '/path/to/echolot-lsp' } })" })
    return
  end
  local answer = vim.system({ command, '--version' }, { text = true }):wait(10000)
  if answer.code == 0 then health.ok(('%s: %s'):format(command, vim.trim(answer.stdout))) else health.error(('%s does not run: %s'):format(command, vim.trim(answer.stderr or ''))) end
  local clients = vim.lsp.get_clients({ name = 'echolot' })
  if #clients == 0 then health.info('Not running: it starts with the first buffer that declares an MCP server.') end
  for _, client in ipairs(clients) do health.ok(('Running in %s with %d buffers, positions in %s.'):format(client.root_dir or '?', vim.tbl_count(client.attached_buffers), client.offset_encoding)) end
  if not (vim.env.ANTHROPIC_API_KEY or vim.env.OPENAI_API_KEY or vim.env.GEMINI_API_KEY) then
    health.info('No ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY: "try" works with models on this machine.')
  else
    health.ok('A key for "try" is set.')
  end
end

return M
