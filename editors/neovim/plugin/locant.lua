-- The commands of locant. The first command that is used starts the server, and so does require('locant').setup().
if vim.g.loaded_locant then
  return
end
vim.g.loaded_locant = true

local function command(name, run, options)
  vim.api.nvim_create_user_command(name, function(given)
    local is_good, message = pcall(require('locant')[run], given)
    if not is_good then
      vim.notify(tostring(message), vim.log.levels.ERROR)
    end
  end, options)
end

command('LocantCopy', 'copy', { range = true, desc = 'Copy the location of the cursor or of the selected lines' })
command('LocantGo', 'go', { nargs = '?', desc = 'Go to a location, or to the one under the cursor' })
command('LocantWhere', 'where', { nargs = '?', desc = 'Where did this place of a revision go? The default is HEAD' })
