-- Neovim's own client against the real server. nvim --headless -u NONE -i NONE -n -c 'luafile check.lua'
-- Environment: DETOUR (command of the server), FOLDER (workspace with bad.py, repro_dynamic_false.py, train.log).
-- Exits 0 when everything was seen.
local passed, failed = 0, 0
local function say(s) io.stdout:write(s .. '\n') end
local function check(what, ok, extra)
  if ok then passed = passed + 1 else failed = failed + 1 end
  say((ok and 'ok   ' or 'FAIL ') .. what .. (extra and ('  ' .. tostring(extra)) or ''))
  return ok
end
local function clients() return (vim.lsp.get_clients or vim.lsp.get_active_clients)() end
local function finish()
  say(passed .. ' passed, ' .. failed .. ' failed')
  for _, c in ipairs(clients()) do c.stop() end
  vim.wait(2000, function() return #clients() == 0 end, 50)
  io.stdout:flush()
  vim.cmd(failed == 0 and 'qall!' or 'cquit 1')
end

local folder = os.getenv('FOLDER')
local config = { name = 'detour', cmd = { os.getenv('DETOUR'), 'server', '--stdio' }, root_dir = folder }
local id
local function open(name, filetype)
  vim.cmd('edit ' .. vim.fn.fnameescape(folder .. '/' .. name))
  vim.bo.filetype = filetype
  local buf = vim.api.nvim_get_current_buf()
  if vim.lsp.start then id = vim.lsp.start(config, { bufnr = buf })
  else id = id or vim.lsp.start_client(config); vim.lsp.buf_attach_client(buf, id) end
  return buf
end
local function wait(what) return vim.wait(20000, what, 50) end

-- 1. A finding while one types.
local buf = open('bad.py', 'python')
check('client started', id ~= nil, vim.version().major .. '.' .. vim.version().minor .. '.' .. vim.version().patch)
wait(function() return #vim.diagnostic.get(buf) > 0 end)
local d = vim.diagnostic.get(buf)[1]
if not check('finding on its line', d ~= nil and d.lnum == 2 and d.code == 'pytorch/compile-recompilation-limit', d and d.message) then
  return finish()
end

-- 2. The card, as the raw answer and as the floating window that the user sees.
local client = vim.lsp.get_client_by_id(id)
local params = { textDocument = { uri = vim.uri_from_bufnr(buf) }, position = { line = 2, character = 10 } }
local res = vim.lsp.buf_request_sync(buf, 'textDocument/hover', params, 10000)
local hover = res and res[id] and res[id].result
check('hover answers with the card', hover ~= nil and hover.contents.value:find('compiles nothing', 1, true) ~= nil)
vim.api.nvim_win_set_cursor(0, { 3, 10 })
vim.lsp.buf.hover()
local float
wait(function()
  for _, w in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(w).relative ~= '' then float = w end
  end
  return float ~= nil
end)
local text = float and table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(float), 0, -1, false), '\n') or ''
check('hover window', text:find('compiles nothing', 1, true) ~= nil, vim.inspect(text:sub(1, 60)))

-- 3. The quick fix, listed, resolved and applied as the client does it.
local range = { start = { line = 2, character = 3 }, ['end'] = { line = 2, character = 3 } }
res = vim.lsp.buf_request_sync(buf, 'textDocument/codeAction',
  { textDocument = { uri = vim.uri_from_bufnr(buf) }, range = range, context = { diagnostics = {} } }, 10000)
local actions = res and res[id] and res[id].result or {}
local fix
for _, action in ipairs(actions) do if not action.disabled and not fix then fix = action end end
if check('quick fix listed', fix ~= nil, fix and fix.title) then
  if not fix.edit then
    res = vim.lsp.buf_request_sync(buf, 'codeAction/resolve', fix, 10000)
    fix = res and res[id] and res[id].result
  end
  vim.lsp.util.apply_workspace_edit(fix.edit, client.offset_encoding or 'utf-16')
  local now = table.concat(vim.api.nvim_buf_get_lines(buf, 0, -1, false), '\n')
  check('quick fix takes the setting out', now:find('recompile_limit', 1, true) == nil)
  wait(function() return #vim.diagnostic.get(buf) == 0 end)
  check('finding gone', #vim.diagnostic.get(buf) == 0)
end

-- 4. A log: the decisive line, and the line of the program that raised it.
local log = open('train.log', 'log')
wait(function() return #vim.diagnostic.get(log) > 0 end)
d = vim.diagnostic.get(log)[1]
check('incident on the decisive line of the log', d ~= nil and d.lnum == 0, d and d.message)
local code = open('repro_dynamic_false.py', 'python')
wait(function() return #vim.diagnostic.get(code) > 0 end)
d = vim.diagnostic.get(code)[1]
check('incident on the line that raised it', d ~= nil and d.code == 'pytorch/compile-recompilation-limit', d and d.lnum)
finish()
