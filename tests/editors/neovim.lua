-- Runs the plugin in a headless Neovim with the real server. Each command is used as people use it.
local project = vim.env.LOCANT_PROJECT
local n_checked = 0
local last_failure

local function same(actual, expected, what)
  if not vim.deep_equal(actual, expected) then
    error(what .. ': expected ' .. vim.inspect(expected) .. ', but it is ' .. vim.inspect(actual), 2)
  end
  n_checked = n_checked + 1
end

local function write(name, text)
  local file = assert(io.open(project .. '/' .. name, 'wb'))
  file:write(text)
  file:close()
end

local function git(...)
  local said = vim.fn.system({ 'git', '-C', project, '-c', 'user.name=t', '-c', 'user.email=t@example.com', ... })
  assert(vim.v.shell_error == 0, said)
end

local function edit(name)
  vim.cmd('edit! ' .. vim.fn.fnameescape(project .. '/' .. name))
end

local function cursor()
  return vim.api.nvim_win_get_cursor(0)
end

local function test()
  local n_failures = 0
  vim.notify = function(said, level)
    n_failures = n_failures + (level == vim.log.levels.ERROR and 1 or 0)
    last_failure = said
  end
  require('locant').setup({ cmd = { vim.env.LOCANT_PROGRAM, 'lsp' } })
  vim.fn.mkdir(project .. '/src', 'p')
  local cart = 'class Cart:\n    def total(self):\n        x = "😀"; return self.sum\n'
  write('src/cart.py', cart)
  write('notes.txt', 'see src/cart.py:Cart.total for more\n')
  write('order.proto', 'syntax = "proto3";\nmessage Order { Item item = 1; }\nmessage Item {}\n')
  git('init', '-q')
  git('add', '.')
  git('commit', '-q', '-m', 'first')

  -- Copy: after an emoji, so that columns in bytes and in UTF-16 units differ.
  edit('src/cart.py')
  vim.api.nvim_win_set_cursor(0, { 3, #'        x = "😀"; return ' })
  vim.cmd('LocantCopy')
  same(vim.fn.getreg('"'), 'src/cart.py:Cart.total@<|>self.sum', 'the location of the cursor')
  vim.api.nvim_win_set_cursor(0, { 2, 8 })
  vim.cmd('LocantCopy')
  same(vim.fn.getreg('"'), 'src/cart.py:Cart.total', 'the location of a name')

  -- Go: to a given location, and to the one under the cursor.
  vim.cmd('LocantGo src/cart.py:Cart.total@return self.<|>sum')
  same(cursor(), { 3, #'        x = "😀"; return self.' }, 'a location that is given')
  edit('notes.txt')
  vim.api.nvim_win_set_cursor(0, { 1, 8 })
  vim.cmd('LocantGo')
  same(vim.fn.expand('%:t'), 'cart.py', 'a location in the text')
  same(cursor(), { 2, 8 }, 'a location in the text')

  -- Text that is not saved yet counts.
  vim.api.nvim_buf_set_lines(0, 0, 0, false, { 'import os', '' })
  vim.cmd('LocantGo src/cart.py:Cart.total')
  same(cursor(), { 4, 8 }, 'a location in an unsaved text')
  vim.cmd('write')

  -- Where: a place of the last commit, which is two lines further down now.
  vim.api.nvim_win_set_cursor(0, { 3, 8 })
  vim.cmd('LocantWhere')
  same(cursor(), { 5, 8 }, 'a place of the last commit')

  -- A location that leads nowhere says why.
  local is_found, message = pcall(require('locant').go, 'src/cart.py:Cart.totla')
  same(is_found, false, 'a name that is not there')
  assert(tostring(message):find('totla', 1, true), message)

  same(n_failures, 0, 'the commands before this one failed: ' .. tostring(last_failure))
  vim.cmd('LocantGo src/cart.py:Cart.totla')
  same(n_failures, 1, 'a command that leads nowhere')

  -- In .proto files the server answers more.
  edit('order.proto')
  vim.cmd('setfiletype proto')
  local clients = vim.lsp.buf_get_clients(0)
  same(vim.tbl_count(clients), 1, 'the server of a .proto file')
  local _, client = next(clients)
  local position = { textDocument = { uri = vim.uri_from_bufnr(0) }, position = { line = 1, character = 16 } }
  local reply = client.request_sync('textDocument/definition', position, 10000, 0)
  local found = reply.result[1] or reply.result
  same((found.targetSelectionRange or found.range).start.line, 2, 'the definition of a message')
end

local is_good, message = pcall(test)
for _, client in ipairs(vim.lsp.get_active_clients()) do
  client.stop()
end
if is_good then
  io.stdout:write(('Neovim %s: %d answers are right\n'):format(tostring(vim.version().major) .. '.' .. vim.version().minor, n_checked))
  vim.cmd('qall!')
else
  io.stderr:write(tostring(message) .. '\n')
  vim.cmd('cquit!')
end
