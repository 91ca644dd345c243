-- Tests in a running Neovim: values are compared, and whatever the user would be told unasked is a failure.
local M = { passed = 0, failed = 0, folder = os.getenv('FOLDER'), expected = {} }
local unexpected = {}

local function say(text) io.stdout:write(text .. '\n') end

--- Fails the test unless both are the same.
function M.equal(what, got, wanted)
  if not vim.deep_equal(got, wanted) then
    error(('%s is\n  %s\nnot\n  %s'):format(what, vim.inspect(got), vim.inspect(wanted)), 2)
  end
end

--- Fails the test unless a text holds another.
function M.holds(what, text, part)
  if type(text) ~= 'string' or not text:find(part, 1, true) then
    error(('%s holds no %q:\n%s'):format(what, part, vim.inspect(text)), 2)
  end
end

--- Waits until a function returns what is wanted, and fails with what it returned last.
function M.becomes(what, get, wanted)
  local got
  vim.wait(15000, function()
    got = get()
    return vim.deep_equal(got, wanted)
  end, 20)
  M.equal(what, got, wanted)
end

--- Waits until a function returns something, which is returned.
function M.some(what, get)
  local got
  vim.wait(15000, function()
    got = get()
    return got ~= nil and got ~= false
  end, 20)
  if not got then error(what .. ' never came', 2) end
  return got
end

--- The client of Detour, if it runs.
function M.client()
  for _, client in ipairs((vim.lsp.get_clients or vim.lsp.get_active_clients)()) do
    if client.name == 'detour' and not client.is_stopped(client) then return client end
  end
end

--- Sends a request as Detour's client, and returns the result.
function M.ask(method, params)
  local client, answered, problem, result = M.client(), false, nil, nil
  local function take(err, value) answered, problem, result = true, err, value end
  if vim.fn.has('nvim-0.11') == 1 then client:request(method, params, take) else client.request(method, params, take) end
  M.some(method, function() return answered end)
  M.equal(method .. ' fails with', problem, nil)
  return result
end

function M.run_command(name, ...)
  return M.ask('workspace/executeCommand', { command = name, arguments = { ... } })
end

--- Sends a notification of Detour's own.
function M.notify(method, params)
  local client = M.client()
  if vim.fn.has('nvim-0.11') == 1 then client:notify(method, params) else client.notify(method, params) end
end

--- Opens a file of the workspace, after writing it when its text is given; the server is attached to it.
function M.open(name, text)
  local path = M.folder .. '/' .. name
  if text then
    local file = assert(io.open(path, 'wb'))
    file:write(text)
    file:close()
  end
  vim.cmd('edit ' .. vim.fn.fnameescape(path))
  local buf = vim.api.nvim_get_current_buf()
  M.some('the server for ' .. name, function()
    local client = M.client()
    return client and vim.lsp.buf_is_attached(buf, client.id)
  end)
  return buf
end

function M.text(buf) return table.concat(vim.api.nvim_buf_get_lines(buf, 0, -1, false), '\n') end

function M.on_disk(name)
  local file = assert(io.open(M.folder .. '/' .. name, 'rb'))
  local text = file:read('*a')
  file:close()
  return text
end

--- What the user sees of diagnostics: line from 1, bytes from 0, severity, record and message.
function M.marks(buf)
  local marks = {}
  for _, d in ipairs(vim.diagnostic.get(buf)) do
    table.insert(marks, { d.lnum + 1, d.col, d.end_col, vim.diagnostic.severity[d.severity], d.code, d.source, d.message })
  end
  table.sort(marks, function(a, b) return a[1] < b[1] end)
  return marks
end

--- Line and record of each diagnostic.
function M.places(buf)
  return vim.tbl_map(function(mark) return { mark[1], mark[5] } end, M.marks(buf))
end

--- The text of the floating window, once there is one; it is closed again.
function M.float()
  local window = M.some('a floating window', function()
    for _, candidate in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(candidate).relative ~= '' then return candidate end
    end
  end)
  local text = M.text(vim.api.nvim_win_get_buf(window))
  vim.api.nvim_win_close(window, true)
  return text
end

--- What the menu of code actions offers at the cursor; with a number, that entry is taken.
function M.menu(pick)
  local titles
  local select = vim.ui.select
  vim.ui.select = function(items, options, choose)
    titles = vim.tbl_map(function(item) return (options.format_item or tostring)(item) end, items)
    choose(pick and items[pick < 0 and #items + 1 + pick or pick] or nil, pick)
  end
  vim.lsp.buf.code_action()
  M.some('the menu of code actions', function() return titles end)
  vim.ui.select = select
  return titles
end

--- Runs a test in an editor without buffers, windows and incidents of the one before.
function M.test(name, run)
  local ok, problem = xpcall(run, function(text)
    return type(text) == 'string' and text .. '\n' .. debug.traceback('', 2) or vim.inspect(text)
  end)
  vim.wait(50)
  if ok and #unexpected > 0 then ok, problem = false, 'told unasked: ' .. vim.inspect(unexpected) end
  unexpected, M.expected = {}, {}
  if ok then M.passed = M.passed + 1 else M.failed = M.failed + 1 end
  say((ok and 'ok   ' or 'FAIL ') .. name .. (ok and '' or '\n' .. problem))
  if M.client() and vim.lsp.buf_is_attached(0, M.client().id) then pcall(M.run_command, 'detour.clear') end
  vim.cmd('silent! %bwipeout!')
end

--- Leaves Neovim as a user does: it ends the servers itself.
function M.finish()
  say(('%d passed, %d failed'):format(M.passed, M.failed))
  io.stdout:flush()
  vim.cmd(M.failed == 0 and 'qall!' or 'cquit 1')
end

local function note(kind, text)
  for _, pattern in ipairs(M.expected) do
    if text:find(pattern, 1, true) then return end
  end
  table.insert(unexpected, kind .. ': ' .. text)
end

-- Messages of the server beyond its log, errors in its log, and whatever Neovim complains of.
vim.lsp.handlers['window/showMessage'] = function(_, message) note('window/showMessage', message.message) end
vim.lsp.handlers['window/logMessage'] = function(_, message)
  if message.type <= 2 then note('window/logMessage', message.message) end
end
vim.notify = function(text, level)
  if (level or 2) >= vim.log.levels.WARN then note('vim.notify', text) end
end

return M
