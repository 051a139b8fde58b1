-- The :Echolot command; nothing else is loaded until it is used or setup() is called.
if vim.g.loaded_echolot then return end
vim.g.loaded_echolot = 1

vim.api.nvim_create_user_command('Echolot', function(args) require('echolot.commands').run(args) end, {
  nargs = '+',
  bar = true,
  desc = 'See the MCP server of this buffer as a model sees it',
  complete = function(lead, line) return require('echolot.commands').complete(lead, line) end,
})

vim.api.nvim_create_autocmd('BufReadCmd', {
  pattern = 'echolot:/*',
  desc = "A provider's form of a tool list, kept by the language server",
  callback = function(event) require('echolot.document').read(event.buf, event.match) end,
})
