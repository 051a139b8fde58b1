-- What a statusline may say of the servers in a buffer, kept until the server says that it changed.
local M = {}

local texts = {} ---@type table<integer, string>

local function grouped(number)
  local text = tostring(math.floor(number))
  while true do
    local changed, count = text:gsub('^(-?%d+)(%d%d%d)', '%1,%2')
    text = changed
    if count == 0 then return text end
  end
end

local function counted(number, word) return ('%d %s%s'):format(number, word, number == 1 and '' or 's') end

local function line(servers)
  local tokens, problems, known = 0, 0, true
  for _, server in ipairs(servers) do
    if type(server.tokens) == 'number' then tokens = tokens + server.tokens else known = false end
    problems = problems + server.problems
  end
  local parts = {}
  if known then table.insert(parts, ('≈%s tokens'):format(grouped(tokens))) end
  if problems > 0 then table.insert(parts, counted(problems, 'problem')) end
  return table.concat(parts, ' · ')
end

---@param buffer integer
---@return string
function M.text(buffer) return texts[buffer] or '' end

---@param buffer integer
function M.refresh(buffer)
  local server = require('echolot.server')
  local client = server.client(buffer)
  if not client or not vim.api.nvim_buf_is_loaded(buffer) then return end
  server.execute(client, 'summary', { uri = vim.uri_from_bufnr(buffer) }, function(answer)
    texts[buffer] = #answer.servers > 0 and line(answer.servers) or nil
    vim.cmd.redrawstatus()
  end, buffer)
end

return M
