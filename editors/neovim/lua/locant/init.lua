--- Locations in Neovim: copy the location of a place, go to a location, find a place of an earlier version again.
---
--- Works from Neovim 0.7 on, without other plugins.
local M = {}

--- The program and its arguments. In files of the types `filetypes`, locant answers everything that it can. The
--- commands work in every file.
M.options = {
  cmd = { 'locant', 'lsp' },
  filetypes = { 'proto', 'rholang' },
  proto_path = {},
}

--- The ids of the servers by their folders.
local servers = {}

--- The folder of the project around a file.
local function root_of(path)
  local start = path == '' and vim.fn.getcwd() or vim.fn.fnamemodify(path, ':p:h')
  local found = vim.fn.finddir('.git', start .. ';')
  if found == '' then
    found = vim.fn.findfile('.git', start .. ';')
  end
  return found == '' and start or vim.fn.fnamemodify(found, ':p'):gsub('/%.git/?$', '')
end

--- The server for a buffer. It is started if it is not running.
local function server_of(buffer)
  local root = root_of(vim.api.nvim_buf_get_name(buffer))
  local id = servers[root]
  if not id or not vim.lsp.get_client_by_id(id) then
    id = vim.lsp.start_client({
      name = 'locant',
      cmd = M.options.cmd,
      root_dir = root,
      workspace_folders = { { uri = vim.uri_from_fname(root), name = root } },
      init_options = { protoPath = M.options.proto_path, knowsCommands = true },
    })
    if not id then
      error('locant: the program ' .. M.options.cmd[1] .. ' could not be started')
    end
    servers[root] = id
  end
  vim.lsp.buf_attach_client(buffer, id)
  return id
end

--- Asks the server to execute a command, and waits for the answer. First waits until the server has started.
local function execute(buffer, command, argument)
  local id = server_of(buffer)
  local client
  local is_ready = vim.wait(10000, function()
    client = vim.lsp.get_client_by_id(id)
    return client ~= nil and client.initialized and vim.lsp.buf_is_attached(buffer, id)
  end, 10)
  if not is_ready then
    error('locant: the server did not start')
  end
  local params = { command = command, arguments = { argument } }
  local reply, failure = client.request_sync('workspace/executeCommand', params, 30000, buffer)
  if not reply then
    error('locant: no answer: ' .. tostring(failure))
  end
  if reply.err then
    error('locant: ' .. reply.err.message, 0)
  end
  return reply.result, client
end

--- The position of a line and a byte column, both counted from 0, in UTF-16 units. Neovim 0.7 offers no other units.
local function position(buffer, line, column)
  local text = vim.api.nvim_buf_get_lines(buffer, line, line + 1, false)[1] or ''
  column = math.min(column, #text)
  local _, units = vim.str_utfindex(text, column)
  return { line = line, character = units }
end

--- The place of the cursor, or the selected lines.
local function here(buffer, given)
  local uri = vim.uri_from_bufnr(buffer)
  if given and given.range and given.range > 0 then
    return {
      uri = uri,
      range = { start = position(buffer, given.line1 - 1, 0), ['end'] = position(buffer, given.line2, 0) },
    }
  end
  local cursor = vim.api.nvim_win_get_cursor(0)
  return { uri = uri, position = position(buffer, cursor[1] - 1, cursor[2]) }
end

--- Shows a message, and keeps it in the history of messages.
local function say(message)
  vim.api.nvim_echo({ { message } }, true, {})
end

--- Goes to the place in the answer, and says how the place was found.
local function go_to(answer, client, words)
  vim.cmd("normal! m'")
  vim.lsp.util.jump_to_location({ uri = answer.uri, range = answer.range }, client.offset_encoding)
  local notes = type(answer.notes) == 'table' and answer.notes or {}
  say(table.concat(vim.list_extend({ words }, notes), '; '))
end

--- Copies the location of the cursor, or of the selected lines, into the unnamed register and the clipboard.
function M.copy(given)
  local buffer = vim.api.nvim_get_current_buf()
  local answer = execute(buffer, 'locant.copyLocation', here(buffer, given))
  vim.fn.setreg('"', answer.location)
  -- Without a provider there is no clipboard. That is not an error.
  pcall(vim.fn.setreg, '+', answer.location)
  say(answer.location)
  return answer.location
end

--- Goes to the given location, or to the location that is written under the cursor.
function M.go(given)
  local buffer = vim.api.nvim_get_current_buf()
  local location = type(given) == 'table' and given.args or given
  if not location or location == '' then
    location = vim.fn.expand('<cWORD>')
  end
  local answer, client = execute(buffer, 'locant.goToLocation', { location = location })
  go_to(answer, client, answer.location or location)
  return answer
end

--- Takes the place under the cursor as a place in a revision, and finds it in the current file.
function M.where(given)
  local buffer = vim.api.nvim_get_current_buf()
  local revision = type(given) == 'table' and given.args or given
  local argument = here(buffer)
  argument.from = (revision and revision ~= '') and revision or 'HEAD'
  local answer, client = execute(buffer, 'locant.whereDidThisPlaceGo', argument)
  go_to(answer, client, answer.status .. ': ' .. (answer.location or ''))
  return answer
end

--- Sets options, and starts the server for the file types in which locant answers everything that it can.
function M.setup(options)
  M.options = vim.tbl_deep_extend('force', M.options, options or {})
  local group = vim.api.nvim_create_augroup('locant', { clear = true })
  vim.api.nvim_create_autocmd({ 'BufRead', 'BufNewFile' }, {
    group = group,
    pattern = '*.rho',
    command = 'setfiletype rholang',
  })
  vim.api.nvim_create_autocmd('FileType', {
    group = group,
    pattern = M.options.filetypes,
    callback = function(event)
      server_of(event.buf)
    end,
  })
end

return M
