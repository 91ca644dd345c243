-- Every feature of the server that Neovim's client can show, driven by Neovim's own functions and keys.
local t = require('harness')
local new = vim.fn.has('nvim-0.11') == 1
local LIMIT, SHAPE, OLD = 'pytorch/compile-recompilation-limit', 'pytorch/matmul-shape-mismatch', 'pytorch/deprecated-function'
local BAD = 'import torch\n\ntorch._dynamo.config.recompile_limit = 0\nprint(torch.compile)\n'
local DEAD_END = 'Setting torch._dynamo.config.recompile_limit = 0 to disable the limit: '
  .. 'A limit of 0 or below loops nowhere: it compiles nothing.'

t.test('the configuration of the guide starts the server', function()
  t.open('bad.py')
  local client = t.client()
  t.equal('root', client.config.root_dir, t.folder)
  t.equal('encoding', client.offset_encoding, new and 'utf-8' or 'utf-16')
end)

t.test('a finding is marked on its columns, with its text behind the line', function()
  local buf = t.open('bad.py')
  t.becomes('marks', function() return t.marks(buf) end, { { 3, 0, 40, 'WARN', LIMIT, 'detour', DEAD_END } })
  local shown = t.some('virtual text', function()
    for _, drawn in pairs(vim.diagnostic.get_namespaces()) do
      local namespace = drawn.user_data.virt_text_ns
      for _, mark in ipairs(namespace and vim.api.nvim_buf_get_extmarks(buf, namespace, 0, -1, { details = true }) or {}) do
        for _, chunk in ipairs(mark[4].virt_text or {}) do
          if chunk[1]:find('compiles nothing', 1, true) then return mark[2] + 1 end
        end
      end
    end
  end)
  t.equal('its line', shown, 3)
end)

t.test('findings come, move and go while one types', function()
  local buf = t.open('typed.py', BAD)
  t.becomes('found', function() return t.places(buf) end, { { 3, LIMIT } })
  vim.cmd('normal! 3G$ciw64')
  t.becomes('a limit of 64', function() return t.places(buf) end, {})
  vim.cmd('normal! 3G$ciw0')
  vim.cmd('normal! ggO# a line above')
  t.becomes('a limit of 0, a line below', function() return t.places(buf) end, { { 4, LIMIT } })
  vim.cmd('silent earlier 1f')
  t.becomes('undone', function() return t.places(buf) end, { { 3, LIMIT } })
end)

t.test('the card of a finding in the hover window', function()
  local buf = t.open('bad.py')
  t.becomes('found', function() return t.places(buf) end, { { 3, LIMIT } })
  vim.api.nvim_win_set_cursor(0, { 3, 10 })
  vim.lsp.buf.hover()
  local card = t.float()
  t.holds('card', card, 'pytorch/compile-recompilation-limit')
  t.holds('card', card, 'compiles nothing')
end)

t.test('the card of an incident anywhere in its traceback, and the source of a frame', function()
  local buf = t.open('classifier.log')
  t.becomes('found', function() return t.places(buf) end, { { 23, SHAPE } })
  vim.api.nvim_win_set_cursor(0, { 23, 20 })
  vim.lsp.buf.hover()
  t.holds('card on the message', t.float(), SHAPE)
  vim.api.nvim_win_set_cursor(0, { 11, 5 })
  vim.lsp.buf.hover()
  local card = t.float()
  t.holds('frame', card, 'classifier.py:13')
  t.holds('its source', card, '>   13          return self.out(self.hidden(x).relu())')
  t.holds('the card below', card, SHAPE)
end)

t.test('quick fixes best first and "ignore here" last; one is taken', function()
  local buf = t.open('fixed.py', BAD)
  t.becomes('found', function() return t.places(buf) end, { { 3, LIMIT } })
  vim.api.nvim_win_set_cursor(0, { 3, 10 })
  local titles = t.menu()
  t.holds('first', titles[1], 'Detour: Delete the limit of 0 (needs a look)')
  t.holds('last', titles[#titles], 'Detour: ignore ' .. LIMIT .. ' here')
  t.menu(1)
  t.becomes('text', function() return t.text(buf) end, 'import torch\n\nprint(torch.compile)')
  t.becomes('marks', function() return t.places(buf) end, {})
end)

t.test('"ignore here" silences the line', function()
  local buf = t.open('ignored.py', BAD)
  t.becomes('found', function() return t.places(buf) end, { { 3, LIMIT } })
  vim.api.nvim_win_set_cursor(0, { 3, 10 })
  t.menu(-1)
  t.becomes('line', function() return vim.fn.getline(3) end,
    'torch._dynamo.config.recompile_limit = 0  # detour: ignore[' .. LIMIT .. ']')
  t.becomes('marks', function() return t.places(buf) end, {})
end)

t.test('a fix that is offered in a log changes the program', function()
  local buf = t.open('train.log')
  t.becomes('found', function() return t.places(buf) end, { { 1, LIMIT } })
  vim.api.nvim_win_set_cursor(0, { 1, 90 })
  t.menu(1)
  local program = t.folder .. '/repro_dynamic_false.py'
  t.becomes('program', function()
    local other = vim.fn.bufnr(program)
    return other > 0 and vim.fn.bufloaded(other) == 1 and vim.api.nvim_buf_get_lines(other, 4, 5, false)[1] or nil
  end, '@torch.compile(backend="eager", dynamic=True)')
end)

t.test('safe repairs are made when the file is written, others are not', function()
  local buf = t.open('grid.py', 'import torch\n\nx = torch.meshgrid(torch.ones(2), torch.ones(3))\n'
    .. 'y = torch.ger(x[0], x[1])\ntorch._dynamo.config.recompile_limit = 0\n')
  t.becomes('found', function() return t.places(buf) end, { { 3, OLD }, { 4, OLD }, { 5, LIMIT } })
  vim.cmd('silent write')
  t.equal('on disk', t.on_disk('grid.py'),
    'import torch\n\nx = torch.meshgrid(torch.ones(2), torch.ones(3), indexing="ij")\n'
      .. 'y = torch.outer(x[0], x[1])\ntorch._dynamo.config.recompile_limit = 0\n')
  t.equal('modified', vim.bo.modified, false)
  t.becomes('left', function() return t.places(buf) end, { { 5, LIMIT } })
end)

t.test('from a frame of a log to the line of the code', function()
  local buf = t.open('classifier.log')
  t.becomes('found', function() return t.places(buf) end, { { 23, SHAPE } })
  local function there() return { vim.fn.expand('%:t'), vim.fn.line('.') } end
  vim.api.nvim_win_set_cursor(0, { 2, 3 })
  vim.lsp.buf.definition()
  t.becomes('place', there, { 'classifier.py', 15 })
  vim.cmd('buffer ' .. buf)
  vim.api.nvim_win_set_cursor(0, { 23, 20 })
  if new then vim.cmd.normal(vim.keycode('<C-]>')) else vim.lsp.buf.definition() end
  t.becomes('place of the incident', there, { 'classifier.py', 13 })
end)

t.test('the incident is marked in the program too, and each leads to the other', function()
  local log = t.open('classifier.log')
  t.becomes('found', function() return t.places(log) end, { { 23, SHAPE } })
  local code = t.open('classifier.py')
  t.becomes('in the program', function() return t.places(code) end, { { 13, SHAPE } })
  local function related(buf)
    return vim.tbl_map(function(item) return { vim.fs and vim.fs.basename(item.location.uri) or
      vim.fn.fnamemodify(item.location.uri, ':t'), item.location.range.start.line + 1 } end,
      vim.diagnostic.get(buf)[1].user_data.lsp.relatedInformation or {})
  end
  t.equal('from the log', related(log), { { 'classifier.py', 13 } })
  t.equal('from the program', related(code), { { 'classifier.log', 23 } })
  vim.api.nvim_win_set_cursor(0, { 13, 0 })
  vim.lsp.buf.hover()
  t.holds('its card', t.float(), '144')
end)

t.test('the outline of a log', function()
  local buf = t.open('classifier.log')
  t.becomes('found', function() return t.places(buf) end, { { 23, SHAPE } })
  vim.lsp.buf.document_symbol()
  local function entries()
    local items = vim.fn.getqflist()
    if #items == 0 then items = vim.fn.getloclist(0) end
    return vim.tbl_map(function(item) return { item.lnum, item.text } end, items)
  end
  local shown = t.some('outline', function() return entries()[1] end)
  t.equal('line', shown[1], 23)
  t.holds('entry', shown[2], 'Matrix shapes do not fit')
  vim.fn.setqflist({})
end)

if new then
  t.test('an incident folds', function()
    local buf = t.open('classifier.log')
    t.becomes('found', function() return t.places(buf) end, { { 23, SHAPE } })
    vim.wo.foldmethod, vim.wo.foldexpr = 'expr', 'v:lua.vim.lsp.foldexpr()'
    t.becomes('fold', function()
      vim.cmd('silent! normal! gg0zxzc')
      return { vim.fn.foldclosed(5), vim.fn.foldclosedend(5) }
    end, { 1, 23 })
    vim.wo.foldmethod = 'manual'
  end)
end

if vim.fn.has('nvim-0.12') == 1 then
  t.test('gx follows the link of a frame', function()
    local buf = t.open('classifier.log')
    t.becomes('found', function() return t.places(buf) end, { { 23, SHAPE } })
    vim.api.nvim_win_set_cursor(0, { 2, 12 })
    -- The line is in the link, but Neovim lets go of it.
    t.equal('link', vim.ui._get_urls(), { t.folder .. '/classifier.py' })
  end)
end

t.test('the lens above a log opens the card', function()
  local buf = t.open('classifier.log')
  t.becomes('found', function() return t.places(buf) end, { { 23, SHAPE } })
  if vim.lsp.codelens.enable then vim.lsp.codelens.enable(true, { bufnr = buf }) else vim.lsp.codelens.refresh() end
  local lens = t.some('lens', function()
    local all = vim.lsp.codelens.get(vim.fn.has('nvim-0.12') == 1 and { bufnr = buf } or buf)
    return all[1] and (all[1].lens or all[1])
  end)
  t.holds('title', lens.command.title, 'Detour: Matrix shapes do not fit')
  vim.api.nvim_win_set_cursor(0, { lens.range.start.line + 1, 0 })
  vim.lsp.codelens.run()
  t.holds('card', t.float(), SHAPE)
end)

t.test('commands: clear, card, text, scan of the workspace', function()
  local log = t.open('classifier.log')
  t.becomes('found', function() return t.places(log) end, { { 23, SHAPE } })
  t.holds('card', t.run_command('detour.showCard', { record = LIMIT }), '# ')
  local counts = t.run_command('detour.scanWorkspace')
  -- Files that are open (this log) are not read from disk.
  t.equal('incidents in train.log', counts.incidents, 1)
  t.equal('a file that is not open', t.places(vim.fn.bufadd(t.folder .. '/bad.py')), { { 3, LIMIT } })
  vim.cmd('DetourClear')
  t.becomes('cleared', function() return t.places(log) end, {})
end)

local function use(settings)
  local client = t.client()
  client.config.settings = settings
  if client.settings then client.settings = settings end
  t.notify('workspace/didChangeConfiguration', { settings = settings })
end
local of_the_guide = vim.deepcopy(t.client().config.settings)

t.test('settings change without a restart', function()
  local buf = t.open('bad.py')
  t.becomes('found', function() return t.places(buf) end, { { 3, LIMIT } })
  use({ detour = { check = { enable = false } } })
  t.becomes('check.enable = false', function() return t.places(buf) end, {})
  use({ detour = { ['check.enable'] = true, ignore = { LIMIT } } })
  t.becomes('ignored', function() return t.places(buf) end, {})
  t.expected = { 'detour.language' }
  use({ detour = { language = 7 } })
  t.becomes('a wrong value counts as none', function() return t.places(buf) end, { { 3, LIMIT } })
  use({ detour = { language = 'zh' } })
  t.becomes('Chinese', function()
    local answer = t.ask('textDocument/hover',
      { textDocument = { uri = vim.uri_from_bufnr(buf) }, position = { line = 2, character = 10 } })
    return answer.contents.value:find('行不通的做法', 1, true) ~= nil
  end, true)
end)
use(of_the_guide)

t.test(':DetourRun marks the line that raised, and the next run clears it', function()
  local code = t.open('classifier.py')
  t.equal('before', t.places(code), {})
  vim.cmd('DetourRun cat classifier.log')
  t.becomes('in the program', function() return t.places(code) end, { { 13, SHAPE } })
  vim.cmd('close')
  vim.cmd('DetourRun cat classifier.py')
  t.becomes('another command', function() return t.places(code) end, { { 13, SHAPE } })
  vim.cmd('close')
  os.rename(t.folder .. '/classifier.log', t.folder .. '/kept.log')
  local file = assert(io.open(t.folder .. '/classifier.log', 'w'))
  file:write('all well\n')
  file:close()
  vim.cmd('DetourRun cat classifier.log')
  t.becomes('the same command', function() return t.places(code) end, {})
  vim.cmd('close')
  os.rename(t.folder .. '/kept.log', t.folder .. '/classifier.log')
end)

t.test('`detour run` in any terminal tells the editor', function()
  local code = t.open('classifier.py')
  vim.cmd('botright 12new')
  local command = { 'detour', 'run', '--', 'sh', '-c', 'cat classifier.log; exit 3' }
  local status
  local options = { term = new or nil, on_exit = function(_, code_) status = code_ end }
  ;(new and vim.fn.jobstart or vim.fn.termopen)(command, options)
  t.becomes('in the program', function() return t.places(code) end, { { 13, SHAPE } })
  t.becomes('its exit status', function() return status end, 3)
end)

t.test('an incident moves with its line and ends when the line is changed', function()
  local code = t.open('moved.py', t.on_disk('classifier.py'))
  t.notify('detour/terminalData', { terminalId = 'a', executionId = '1', commandLine = 'python moved.py', cwd = t.folder,
    data = (t.on_disk('classifier.log'):gsub('classifier%.py', 'moved.py')) })
  t.notify('detour/terminalEnd', { terminalId = 'a', executionId = '1', exitCode = 1, noData = false })
  t.becomes('in the program', function() return t.places(code) end, { { 13, SHAPE } })
  vim.cmd('normal! ggO# one')
  t.becomes('a line below', function() return t.places(code) end, { { 14, SHAPE } })
  vim.cmd('normal! 14Gccreturn x')
  t.becomes('gone', function() return t.places(code) end, {})
end)

t.test('logs that appear and grow are followed where the setting of the guide names them', function()
  local code = t.open('classifier.py')
  vim.fn.mkdir(t.folder .. '/runs/1', 'p')
  local log = assert(io.open(t.folder .. '/runs/1/a.log', 'w'))
  log:write('epoch 1\n')
  log:flush()
  log:write(t.on_disk('classifier.log'))
  log:flush()
  t.becomes('in the program', function() return t.places(code) end, { { 13, SHAPE } })
  log:close()
  log = assert(io.open(t.folder .. '/runs/1/a.log', 'w'))
  log:write('epoch 1\n')
  log:close()
  t.becomes('the log is begun anew', function() return t.places(code) end, {})
end)

t.test('columns behind letters outside of Latin, in a file with CRLF', function()
  local line = "x = '𝒳é'; torch._dynamo.config.recompile_limit = 0"
  local buf = t.open('crlf.py', 'import torch\r\n' .. line .. '\r\nprint(x)\r\n')
  local first = line:find('torch', 1, true) - 1
  t.becomes('marks', function() return t.marks(buf) end, { { 2, first, #line, 'WARN', LIMIT, 'detour', DEAD_END } })
  vim.cmd("normal! ggOy = '𝒳'")
  vim.cmd('normal! 3G0f𝒳xi𝒳𝒳')
  line = "x = '𝒳𝒳é'; torch._dynamo.config.recompile_limit = 0"
  t.becomes('moved', function() return t.marks(buf) end,
    { { 3, first + #'𝒳', #line, 'WARN', LIMIT, 'detour', DEAD_END } })
  vim.api.nvim_win_set_cursor(0, { 3, first + 10 })
  t.menu(1)
  t.becomes('line', function() return vim.fn.getline(3) end, "x = '𝒳𝒳é'")
  vim.cmd('silent write')
  t.equal('on disk', t.on_disk('crlf.py'), "y = '𝒳'\r\nimport torch\r\nx = '𝒳𝒳é'\r\nprint(x)\r\n")
end)

if vim.fn.has('nvim-0.12') == 1 then
  t.test('findings are pulled and incidents pushed, none twice', function()
    local code = t.open('both.py', t.on_disk('classifier.py') .. 'torch._dynamo.config.recompile_limit = 0\n')
    t.notify('detour/terminalData', { terminalId = 'b', executionId = '1', commandLine = 'python both.py', cwd = t.folder,
      data = (t.on_disk('classifier.log'):gsub('classifier%.py', 'both.py')) })
    t.becomes('marks', function() return t.places(code) end, { { 13, SHAPE }, { 16, LIMIT } })
    local id = t.client().id
    local function of(namespace)
      return vim.tbl_map(function(d) return d.code end, vim.diagnostic.get(code, { namespace = namespace }))
    end
    local pull = vim.lsp.diagnostic.get_namespace(id, true, 'detour')
    t.equal('pulled and pushed', { of(pull), of(vim.lsp.diagnostic.get_namespace(id, false)) }, { { LIMIT }, { SHAPE } })
  end)
end

if new and vim.fn.executable('ruff') == 1 then
  t.test('beside another server for Python, each does its own', function()
    vim.lsp.config('ruff', { cmd = { 'ruff', 'server' }, filetypes = { 'python' }, root_markers = { 'pyproject.toml' } })
    vim.lsp.enable('ruff')
    local buf = t.open('two.py', 'import os\nimport torch\ntorch._dynamo.config.recompile_limit = 0\nx = torch.ger(1, 2)\n')
    local function sources()
      local found = {}
      for _, d in ipairs(vim.diagnostic.get(buf)) do
        if d.code ~= 'I001' then table.insert(found, { d.lnum + 1, d.source:lower(), d.code }) end
      end
      table.sort(found, function(a, b) return a[1] < b[1] end)
      return found
    end
    t.becomes('both', sources, { { 1, 'ruff', 'F401' }, { 3, 'detour', LIMIT }, { 4, 'detour', OLD } })
    vim.cmd('silent write') -- with repairs of ours alone
    t.equal('on disk', t.on_disk('two.py'),
      'import os\nimport torch\ntorch._dynamo.config.recompile_limit = 0\nx = torch.outer(1, 2)\n')
    vim.lsp.enable('ruff', false)
    for _, client in ipairs(vim.lsp.get_clients({ name = 'ruff' })) do client:stop() end
    t.becomes('ruff has gone', function() return #vim.lsp.get_clients({ name = 'ruff' }) end, 0)
  end)
end

t.test('after a restart all is there again', function()
  local buf = t.open('bad.py')
  t.becomes('found', function() return t.places(buf) end, { { 3, LIMIT } })
  local first = t.client().id
  if new then t.client():stop() else vim.lsp.stop_client(first) end
  t.becomes('stopped', function() return t.client() == nil end, true)
  t.becomes('its marks', function() return t.places(buf) end, {})
  vim.cmd('edit')
  t.some('a new server', function() return t.client() and t.client().id ~= first end)
  t.becomes('found again', function() return t.places(buf) end, { { 3, LIMIT } })
end)

t.finish()
