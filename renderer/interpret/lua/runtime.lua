-- What a translated script runs on: the budget, tables, and the operators that Lua 5.4 has otherwise.
-- Trusted: no script sees a function of real Lua, a metatable or anything of the host.

local host, limits = ...
local R = {}

local type, rawget, rawset, select, error = type, rawget, rawset, select, error
local getmetatable, setmetatable, pcall, xpcall = getmetatable, setmetatable, pcall, xpcall
local math_type, floor, ceil, tointeger = math.type, math.floor, math.ceil, math.tointeger
local byte, format, unpack, join = string.byte, string.format, table.unpack, table.concat
local getinfo, collect = debug.getinfo, collectgarbage

local SOURCE = "=<string>"    -- as gopher-lua calls a script
local MOST_INDEX = 67108864   -- keys below are indexes of the list that every table has
local SLICE = 65536           -- steps from one look at the memory to the next

-- The budget: steps, each worth some ten nanoseconds of Lua, and memory that is in use. ------------------------

local STOPPED = {}            -- the error that no script can catch
local left, rest = SLICE, 0    -- steps of this slice, steps after it
local line_left               -- where the script last returned what a call gives
local reason                  -- why the script was stopped

local function stop(why)
  reason, left, rest = reason or why, -1, -1
  error(STOPPED, 0)
end

local function in_use()
  return collect("count") * 1024
end

local function look()
  if reason then stop() end
  rest = rest + left
  if rest < 0 then stop("steps") end
  if in_use() > limits.bytes then
    collect()
    if in_use() > limits.bytes then stop("memory") end
  end
  left = rest < SLICE and rest or SLICE
  rest = rest - left
end

local function charge(steps)
  left = left - steps
  if left < 0 then look() end
end

local function step()
  left = left - 1
  if left < 0 then look() end
end

-- Errors, at the line of the script that is running. --------------------------------------------------------

-- The line of the script's innermost function, or of the one that many further out.
local function line_of_script(further_out)
  local level, skip = 2, further_out or 0
  while true do
    local info = getinfo(level, "Slt")
    if not info then return nil end
    if info.source == SOURCE then
      if skip == 0 then return info.currentline end
      skip = skip - 1
    elseif info.istailcall then
      return line_left
    end
    level = level + 1
  end
end

-- Raise an error. Its level means what it means in gopher-lua, where the first two are the same.
local function raise(text, level)
  local line = line_of_script(level and level > 2 and level - 2 or 0)
  error(line and format("<string>:%d: %s", line, text) or text, 0)
end

local function enter()
  left = left - 2
  if left < 0 then look() end
  if getinfo(limits.frames, "") then raise("stack overflow") end
end

-- Numbers and text. ---------------------------------------------------------------------------------------

local function text_of(value)
  if type(value) == "string" then return value end
  if value == floor(value) and value >= -0x1p63 and value < 0x1p63 then return format("%d", value) end
  return host.number_text(value)
end

local function is_text(value)
  local kind = type(value)
  return kind == "string" or kind == "number"
end

local function number_of(value)
  if type(value) == "number" then return value end
  if type(value) == "string" then
    charge(#value // 16)
    return host.parsed_number(value)
  end
end

local function new_text(length)
  if length > limits.text then raise(format("a text would be longer than %d bytes", limits.text)) end
  charge(length // 64)
end

-- Tables: a list without holes at its end that counts, then keys in the order in which they came. -----------

local function is_index(key)
  return math_type(key) and key >= 1 and key < MOST_INDEX and key == floor(key)
end

local function places(meta)
  local pos = meta.pos
  if not pos then
    pos = {}
    for i = 1, meta.n do pos[meta[i]] = i end
    charge(meta.n)
    meta.pos = pos
  end
  return pos
end

local function newindex(t, key, value)
  local meta = getmetatable(t)
  charge(2)
  if key == nil or key ~= key then raise("table index is " .. (key == nil and "nil" or "NaN")) end
  if is_index(key) then
    if key > meta.size then
      charge((key - meta.size) // 16)
      meta.size = tointeger(key)
    end
  elseif value ~= nil then
    local pos = places(meta)
    if not pos[key] then
      local n = meta.n + 1
      meta.n, meta[n], pos[key] = n, key, n
    end
  end
  rawset(t, key, value)
end

local function length(t)
  local size = getmetatable(t).size
  local last = size
  while last > 0 and rawget(t, last) == nil do last = last - 1 end
  charge((size - last) // 8)
  return last
end

local function table_of(t, size)
  charge(4)
  return setmetatable(t, {__newindex = newindex, __len = length, size = size, n = 0})
end

local function new_table()
  return table_of({}, 0)
end

local function put(t, index, value)
  local meta = getmetatable(t)
  if index > meta.size then meta.size = index end
  rawset(t, index, value)
end

local NEXT = {}               -- stands for the key of what goes to the next index

local function fill(t, last, fields, ...)
  local count, given = select("#", ...), {...}
  charge(count)
  for at = 1, 2 * fields, 2 do
    local key = given[at]
    if key ~= NEXT then
      if key == nil then raise("table index is nil") end
      t[key] = given[at + 1]
    end
  end
  for at = 1, 2 * fields, 2 do
    if given[at] == NEXT and at < count then
      last = last + 1
      put(t, last, given[at + 1])
    end
  end
  for at = 2 * fields + 1, count do
    last = last + 1
    put(t, last, given[at])
  end
  return t, last
end

local function following(t, key)
  local meta = getmetatable(t)
  local from = 1
  if key == nil or (key ~= 0 and math_type(key) and key == floor(key) and key >= 0 and key < MOST_INDEX) then
    local begin = key and tointeger(key) or 0
    for i = begin + 1, meta.size do
      local value = rawget(t, i)
      if value ~= nil then
        charge((i - begin) // 8)
        return i + 0.0, value
      end
    end
    charge((meta.size - begin) // 8)
  else
    from = (places(meta)[key] or 1) + 1
  end
  for i = from, meta.n do
    local value = rawget(t, meta[i])
    if value ~= nil then
      charge((i - from) // 8)
      return meta[i], value
    end
  end
  charge((meta.n - from) // 8)
end

-- Operators. ----------------------------------------------------------------------------------------------

local function key_of(key)
  if type(key) == "string" and #key > 64 then charge(#key // 64) end
  return key
end

local function concat(...)
  local count, pieces, size = select("#", ...), {...}, 0
  for i = count, 1, -1 do
    local piece = pieces[i]
    if not is_text(piece) then
      local left_kind = type(pieces[i == count and i - 1 or i])
      local right_kind = i == count and type(piece) or "string"
      raise(format("cannot perform concat operation between %s and %s", left_kind, right_kind))
    end
    pieces[i] = text_of(piece)
    size = size + #pieces[i]
  end
  new_text(size)
  charge(count)
  return join(pieces)
end

local function equal(one, other)
  if type(one) == "string" and type(other) == "string" and #one > 64 then charge(#one // 64) end
  return one == other
end

-- Byte for byte, whatever the locale.
local function text_before(one, other)
  local shorter = #one < #other and #one or #other
  for i = 1, shorter do
    local a, b = byte(one, i), byte(other, i)
    if a ~= b then
      charge(i // 4)
      return a < b
    end
  end
  charge(shorter // 4)
  return #one < #other
end

local function less(one, other)
  local kind = type(one)
  if kind == type(other) then
    if kind == "number" then return one < other end
    if kind == "string" then return text_before(one, other) end
  end
  raise(format("attempt to compare %s with %s", kind, type(other)))
end

local function most(one, other)
  if type(one) == "number" and type(other) == "number" then return one <= other end
  if type(one) == "string" and type(other) == "string" then return not text_before(other, one) end
  less(one, other)
end

local function arithmetic(name, compute)
  return function(one, other)
    local a, b = number_of(one), number_of(other)
    if a and b then return compute(a, b) end
    local kinds = {a and "number" or type(one), b and "number" or type(other)}
    raise(format("cannot perform %s operation between %s and %s", name, kinds[1], kinds[2]))
  end
end

-- What texts do in arithmetic, which Lua 5.4 asks their metatable for.
local strings = getmetatable("")
strings.__add = arithmetic("add", function(a, b) return a + b end)
strings.__sub = arithmetic("sub", function(a, b) return a - b end)
strings.__mul = arithmetic("mul", function(a, b) return a * b end)
strings.__div = arithmetic("div", function(a, b) return a / b end)
strings.__mod = arithmetic("mod", function(a, b) return a % b end)
strings.__pow = arithmetic("pow", function(a, b) return a ^ b end)
strings.__unm = arithmetic("unm", function(a) return -a end)
strings.__idiv = nil

local function more(...)
  charge(select("#", ...) // 4)
  return ...
end

local function arg_table(...)
  local count = select("#", ...)
  charge(count)
  local t = table_of({...}, count)
  t.n = count + 0.0
  return t
end

-- In the order in which translated scripts take them.
local helpers = {
  step, enter,
  function(...) charge(select("#", ...) // 4) enter() end,
  function(made) charge(2) return made end,
  more, arg_table, new_table, fill, NEXT, key_of, concat, equal,
  function(one, other) return not equal(one, other) end,
  less,
  function(one, other) return less(other, one) end,
  most,
  function(one, other) return most(other, one) end,
  function(iterator, state, first) return iterator, state, first end,
  function(line) line_left = line end,
  function(bound)
    if type(bound) ~= "number" then raise("for statement: its bounds must be numbers") end
    return bound
  end,
}

-- Values to the host and back: one flat list. A whole number n >= 0 begins a map of n entries, n < 0 a list
-- of -n - 1 items; all other numbers are floats. -------------------------------------------------------------

local function build(flat)
  local at = 0
  local function value()
    at = at + 1
    local head = flat[at]
    if math_type(head) ~= "integer" then
      if type(head) == "string" then charge(#head // 64) end
      return head
    end
    if head < 0 then
      local items = table_of({}, -head - 1)
      for i = 1, -head - 1 do rawset(items, i, value()) end
      return items
    end
    local entries = new_table()
    local meta = getmetatable(entries)
    charge(head * 2)
    for i = 1, head do
      at = at + 1
      local key = flat[at]
      meta[i] = key
      rawset(entries, key, value())
    end
    meta.n = head
    return entries
  end
  return value()
end

local function flatten(root, out)
  local seen, depth = {}, 0
  local function add(value)
    charge(2)
    local kind = type(value)
    if kind ~= "table" then
      if kind == "function" then raise("a function cannot be returned") end
      if kind == "number" and (value ~= value or value - value ~= 0) then
        raise(host.number_text(value) .. " cannot be returned")
      end
      if kind == "string" then charge(#value // 64) end
      out.n = out.n + 1
      out[out.n] = kind == "number" and value + 0.0 or value
      return
    end
    if seen[value] then raise("a table cannot be returned in two places") end
    if depth == limits.depth then raise(format("more than %d tables are inside each other", limits.depth)) end
    seen[value], depth = true, depth + 1
    local head = out.n + 1
    out.n = head
    local key, item = following(value)
    local count, list = 0, type(key) ~= "string"
    while key ~= nil do
      count = count + 1
      if list and key ~= count then
        raise(type(key) == "number" and "a list with holes cannot be returned" or "a table with mixed keys cannot be returned")
      end
      if not list then
        if type(key) ~= "string" then raise("a table with mixed keys cannot be returned") end
        charge(#key // 64)
        out.n = out.n + 1
        out[out.n] = key
      end
      add(item)
      key, item = following(value, key)
    end
    out[head] = list and -count - 1 or count
    depth = depth - 1
  end
  add(root)
end

-- Running. ------------------------------------------------------------------------------------------------

-- Whether an error ends the run, whatever the script would do about it.
local function is_final(fault)
  if fault == "not enough memory" then reason = reason or "memory" end
  return reason or type(fault) == "userdata"
end

local function with_line(fault)
  return {fault, line_of_script()}
end

-- Steps are counted from here on. Gives what `f` gives, or nil, the error, and its line in the script.
local function guarded(f)
  left, rest, reason, line_left = 0, limits.steps, nil, nil
  local ok, result = xpcall(f, with_line)
  if ok then return true, result end
  if type(result) ~= "table" then result = {result} end  -- the handler itself had no stack left
  local fault, line = result[1], result[2]
  if is_final(fault) then return false, reason or fault, line, true end
  return false, is_text(fault) and text_of(fault) or R.tostring(fault), line, false
end

-- Run a script, then call the function that it defines; `wanted` results come back flattened, after their
-- types. What the script itself returns is taken for results first, as Karmada does.
function R.run(chunk, name, wanted, arguments)
  return guarded(function()
    local globals = R.environment()
    local results = table.pack(chunk(globals, unpack(helpers)))
    local given = {}
    for i = 1, #arguments do given[i] = build(arguments[i]) end
    local called = rawget(globals, name)
    if type(called) ~= "function" then error(format("the script defines no function %s", name), 0) end
    local returned = table.pack(called(unpack(given, 1, #arguments)))
    for i = 1, wanted do results[results.n + i] = returned[i] end
    local out = {n = wanted}
    for i = 1, wanted do
      local kind = type(results[i])
      out[i] = kind
      if kind == "table" then
        flatten(results[i], out)
      elseif kind ~= "function" then
        out.n = out.n + 1
        out[out.n] = kind == "number" and results[i] + 0.0 or results[i]
      end
    end
    return out
  end)
end

function R.compile(text)
  return load(text, SOURCE, "t", {})
end

-- A flat list, for the host to read: its length, and a stretch of it.
function R.read(list, from, to)
  local last = list.n
  return last, unpack(list, from, to < last and to or last)
end

-- What makes tables with functions by name, in the order of their names. Written out, because a table that
-- is made at its size costs a third of one that grows.
function R.library(functions)
  local names, fields = {}, {}
  for name in next, functions do names[#names + 1] = name end
  table.sort(names)
  for i, name in ipairs(names) do fields[i] = format("%s=f.%s", name, name) end
  local made = load(format("local f=... return function() return {%s} end", join(fields, ",")))(functions)
  return function()
    charge(#names)
    local meta = {__newindex = newindex, __len = length, size = 0, n = #names, unpack(names)}
    return setmetatable(made(), meta)
  end
end

R.charge, R.raise, R.stop, R.is_final, R.steps_left = charge, raise, stop, is_final, function() return left + rest end
R.text_of, R.is_text, R.number_of, R.new_text = text_of, is_text, number_of, new_text
R.new_table, R.table_of, R.put, R.length_of, R.following = new_table, table_of, put, length, following
R.build, R.flatten, R.less, R.strings, R.is_index = build, flatten, less, strings, is_index
return R
