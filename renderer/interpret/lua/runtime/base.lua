-- The functions that every script has, without those that Karmada takes away.
-- Source: gopher-lua baselib.go.

local R, host = ...

local type, rawget, select, error = type, rawget, select, error
local pcall, getmetatable, ipairs = pcall, getmetatable, ipairs
local format, pack, unpack = string.format, table.pack, table.unpack
local charge, raise, text_of = R.charge, R.raise, R.text_of
local is_text, length, following = R.is_text, R.length, R.following
local given = R.arguments
local a_table, a_function, an_int, whole = given.table, given.func, given.int, given.whole
local refuse, mistyped, any, several = given.refuse, given.mistyped, given.any, given.several

local addresses, addressed

local function address(value)
  local found = addresses[value]
  if not found then
    charge(4)
    addressed = addressed + 1
    found = format("0xc%09x", addressed * 32)
    addresses[value] = found
  end
  return found
end

local function tostring_of(value)
  local kind = type(value)
  if kind == "string" or kind == "number" then return text_of(value) end
  if kind == "nil" then return "nil" end
  if kind == "boolean" then return value and "true" or "false" end
  return kind .. ": " .. address(value)
end

-- Results of pcall: a failure that ends the run goes on, the others are for the script.
local function checked(results)
  charge(results.n // 4 + 40)
  if not results[1] and R.is_final(results[2]) then error(results[2], 0) end
  return results
end

-- No function here ends in the call of another that can fail: what stands above a script's function after a
-- tail call is then known to be called by the script (see line_of_script).

local base = {
  assert = function(...)
    local value, text = ...
    if value then return ... end
    if text == nil then text = "assertion failed!" end
    if type(text) ~= "string" then mistyped(2, "assert", "string", text) end
    raise(text)
  end,

  error = function(...)
    local fault, level = any("error", ...), an_int(2, "error", (select(2, ...)), 1)
    if type(fault) == "string" and level > 0 then raise(fault, level) end
    error(fault, 0)
  end,

  ipairs = function(t)
    a_table(1, "ipairs", t)
    return function(items, i)
      a_table(1, "ipairs", items)
      local at = an_int(2, "ipairs", i) + 1
      local value = nil
      if at >= 1 and at <= getmetatable(items).size then value = rawget(items, at) end
      charge(1)
      if value ~= nil then return at + 0.0, value end
    end, t, 0.0
  end,

  next = function(t, key)
    charge(1)
    local found, value = following(a_table(1, "next", t), key)
    if found == nil then return nil end
    return found, value
  end,

  pairs = function(t)
    return function(entries, key)
      charge(1)
      return following(a_table(1, "pairs", entries), key)
    end, a_table(1, "pairs", t), nil
  end,

  pcall = function(...)
    local f = any("pcall", ...)
    if type(f) ~= "function" then return false, format("attempt to call a %s value", type(f)) end
    local results = checked(pack(pcall(...)))
    return unpack(results, 1, results.n)
  end,

  xpcall = function(f, handler)
    a_function(1, "xpcall", f)
    a_function(2, "xpcall", handler)
    local results = checked(pack(pcall(f)))
    if results[1] then return unpack(results, 1, results.n) end
    return false, checked(pack(pcall(handler, results[2])))[2]
  end,

  print = function(...)
    charge(select("#", ...) * 8 + 8)
    for i = 1, select("#", ...) do tostring_of((select(i, ...))) end
  end,

  _printregs = function() end,

  select = function(...)
    local n = ...
    if not is_text(n) then refuse(1, "select", format("number or string expected, got %s", type(n))) end
    if n == "#" then return select("#", ...) - 1.0 end
    if type(n) == "string" then refuse(1, "select", format("invalid string '%s'", n)) end
    local at, count = whole(n), select("#", ...)
    charge(count // 4)
    if at < 0 then at = count + at end
    if at < 1 then refuse(1, "select", "index out of range") end
    if at >= count then return end
    return select(at + 1, ...)
  end,

  tonumber = function(...)
    local value, base = any("tonumber", ...), select(2, ...)
    base = base ~= nil and an_int(2, "tonumber", base) or nil
    if type(value) == "number" then return value end
    if type(value) ~= "string" then return nil end
    charge(#value // 16 + 40)
    return host.tonumber(value, base)
  end,

  tostring = function(...)
    return tostring_of(any("tostring", ...))
  end,

  type = function(...)
    return type(any("type", ...))
  end,

  _VERSION = "Lua 5.1",
  _GOPHER_LUA_VERSION = "GopherLua 0.1",

  unpack = function(t, i, j)
    a_table(1, "unpack", t)
    local first, last = an_int(2, "unpack", i, 1), an_int(3, "unpack", j, length(t))
    if last < first then return end
    several(first, last)
    local values, size = {}, getmetatable(t).size
    for at = first, last do
      if at >= 1 and at <= size then values[at - first + 1] = rawget(t, at) end
    end
    return unpack(values, 1, last - first + 1)
  end,
}

for _, name in ipairs({
  "collectgarbage", "dofile", "getfenv", "getmetatable", "load", "loadfile", "loadstring", "module",
  "newproxy", "rawequal", "rawget", "rawset", "setfenv", "setmetatable",
}) do
  base[name] = function()
    raise(format("call function %s is not supported in karmada customized resourceinterpreter.", name))
  end
end

R.base, R.tostring = base, tostring_of

-- Addresses are numbered anew for each run.
function R.forget_addresses()
  addresses, addressed = {}, 0
end
