-- Running a script, and handing values to the host and back.
--
-- A value goes as one flat list: a whole number n >= 0 begins a map of n entries, a number n < 0 a list of
-- -n - 1 items; every other number is a float.

local R, host, limits = ...

local type, rawget, rawset, error = type, rawget, rawset, error
local getmetatable, xpcall, load = getmetatable, xpcall, load
local math_type, format, pack, unpack = math.type, string.format, table.pack, table.unpack
local charge, raise, text_of, is_text, following = R.charge, R.raise, R.text_of, R.is_text, R.following
local table_of, new_table = R.table_of, R.new_table

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
        local what = type(key) == "number" and "list with holes" or "table with mixed keys"
        raise(format("a %s cannot be returned", what))
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

local function with_line(fault)
  return {fault, R.line_of_script()}
end

-- Steps are counted from here on. Gives what `f` gives, or nil, the error, and its line in the script.
local function guarded(f)
  R.begin()
  local ok, result = xpcall(f, with_line)
  if ok then return true, result end
  if type(result) ~= "table" then result = {result} end  -- the handler itself had no stack left
  local fault, line = result[1], result[2]
  if R.is_final(fault) then return false, R.reason() or fault, line, true end
  if is_text(fault) then return false, text_of(fault), line, false end
  return false, format("it raises a %s instead of a message", type(fault)), line, false
end

-- Run a script, then call the function that it defines; `wanted` results come back flattened, after their
-- types. What the script itself returns is taken for results first, as Karmada does.
function R.run(chunk, name, wanted, arguments)
  return guarded(function()
    local globals = R.environment()
    local results = pack(chunk(globals, unpack(R.helpers)))
    local given = {}
    for i = 1, #arguments do given[i] = build(arguments[i]) end
    local called = rawget(globals, name)
    if type(called) ~= "function" then error(format("the script defines no function %s", name), 0) end
    local returned = pack(called(unpack(given, 1, #arguments)))
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
  return load(text, R.SOURCE, "t", {})
end

-- A flat list, for the host to read: its length, and a stretch of it.
function R.read(list, from, to)
  local last = list.n
  return last, unpack(list, from, to < last and to or last)
end

R.build, R.flatten = build, flatten
