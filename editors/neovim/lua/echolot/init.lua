-- Echolot for Neovim: setup() and the statusline; each feature is a file beside this one.
local M = {}

---@class echolot.Options
---@field cmd? string[] The language server's command line; default { 'echolot-lsp' }, looked for in PATH.
---@field hints? boolean Show tokens behind each tool (default true).
---@field lenses? boolean Show a line above each server (default true).
---@field settings? table Echolot's settings, as in [tool.echolot].
---@field filetypes? string[] Default python, json, jsonc, toml; the server still starts only where there is MCP.

---@type echolot.Options
M.options = { hints = true, lenses = true, settings = {}, filetypes = { 'python', 'json', 'jsonc', 'toml' } }

---@param options? echolot.Options
function M.setup(options)
  M.options = vim.tbl_deep_extend('force', M.options, options or {})
  vim.cmd.runtime('plugin/echolot.lua') -- for managers that put the folder on 'runtimepath' late
  local server = require('echolot.server')
  if vim.lsp.config then
    vim.lsp.config('echolot', server.config())
    vim.lsp.enable('echolot')
  end
  server.watch()
end

--- Text for a statusline: "≈2,310 tokens · 1 problem"; empty where no server is declared.
---@param buffer? integer
---@return string
function M.statusline(buffer) return require('echolot.status').text(buffer or vim.api.nvim_get_current_buf()) end

return M
