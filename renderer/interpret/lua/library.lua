-- The libraries of Karmada's Lua: base, string, table, math, os and package, without what it takes away.
-- Source: gopher-lua baselib.go, stringlib.go, tablelib.go, mathlib.go; Karmada pkg/util/lifted/lua.

local R, host, limits = ...

local type, rawget, rawset, select, error, pcall = type, rawget, rawset, select, error, pcall
local getmetatable, floor, ceil, tointeger = getmetatable, math.floor, math.ceil, math.tointeger
local format, byte, sub, find = string.format, string.byte, string.sub, string.find
local raise, charge, text_of, is_text, new_text = R.raise, R.charge, R.text_of, R.is_text, R.new_text
local length, put, following, new_table, table_of = R.length_of, R.put, R.following, R.new_table, R.table_of

local LONGEST_INPUT = 1000000 -- bytes of a text that Karmada's string functions take
local MOST_VALUES = 5000      -- what gopher-lua's registry holds

-- Arguments. ----------------------------------------------------------------------------------------------

local function refuse(n, name, text)
  raise(format("bad argument #%d to %s (%s)", n, name, text))
end

local function mistyped(n, name, wanted, value)
  refuse(n, name, format("%s expected, got %s", wanted, type(value)))
end

local function any(name, ...)
  if select("#", ...) == 0 then refuse(1, name, "value expected") end
  return (...)
end

local function a_table(n, name, value)
  if type(value) ~= "table" then mistyped(n, name, "table", value) end
  return value
end

local function a_function(n, name, value)
  if type(value) ~= "function" then mistyped(n, name, "function", value) end
  return value
end

local function a_text(n, name, value)
  if not is_text(value) then mistyped(n, name, "string", value) end
  return text_of(value)
end

local function a_short_text(n, name, value)
  local text = a_text(n, name, value)
  if #text > LONGEST_INPUT then
    raise(format("string length %d exceeds the maximum allowed input string length %d", #text, LONGEST_INPUT))
  end
  charge(#text // 64 + 2)
  return text
end

local function whole(value)
  if value ~= value or value >= 0x1p63 or value < -0x1p63 then return math.mininteger end
  return tointeger(value < 0 and ceil(value) or floor(value))
end

local function an_int(n, name, value, default)
  if value == nil and default then return default end
  if type(value) ~= "number" then mistyped(n, name, "number", value) end
  return whole(value)
end

local function a_number(n, name, value)
  local number = R.number_of(value)
  if not number then mistyped(n, name, "number", value) end
  return number
end

local function several(first, last)
  if last - first >= MOST_VALUES then raise("registry overflow") end
  charge(last >= first and last - first + 1 or 0)
end

-- base ----------------------------------------------------------------------------------------------------

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

-- A failure that ends the run goes on; the others are for the script.
local function protected(ok, ...)
  if ok then
    charge(select("#", ...) // 4 + 1)
    return true, ...
  end
  local fault = ...
  if R.is_final(fault) then error(fault, 0) end
  return false, fault
end

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
    charge(4)
    return protected(pcall(...))
  end,

  xpcall = function(f, handler)
    a_function(1, "xpcall", f)
    a_function(2, "xpcall", handler)
    charge(4)
    local results = table.pack(protected(pcall(f)))
    if results[1] then return table.unpack(results, 1, results.n) end
    local ok, fault = protected(pcall(handler, results[2]))
    return false, fault
  end,

  print = function(...)
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
    charge(#value // 16)
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
    return table.unpack(values, 1, last - first + 1)
  end,
}

for _, name in ipairs({
  "collectgarbage", "dofile", "getfenv", "getmetatable", "load", "loadfile", "loadstring", "module", "newproxy",
  "rawequal", "rawget", "rawset", "setfenv", "setmetatable",
}) do
  base[name] = function()
    raise(format("call function %s is not supported in karmada customized resourceinterpreter.", name))
  end
end

-- string --------------------------------------------------------------------------------------------------

-- An index of a text, counted from the end where it is negative, as an offset from 0.
local function offset(text, i, is_start)
  if is_start and i ~= 0 then i = i - 1 end
  if i < 0 then i = #text + i + 1 end
  if i < 0 then i = 0 end
  if not is_start and i > #text then i = #text end
  return i
end

-- The first match from an offset on: where to go on, then its bounds and captures; nothing where there is none.
local function searched(used, fault, ...)
  charge(used)
  if fault then raise(fault) end
  return ...
end

local function search(text, pattern, from)
  return searched(host.search(text, pattern, from, R.steps_left()))
end

local function captured(text, going_on, first, last, ...)
  if going_on == nil then return end
  if select("#", ...) == 0 then return sub(text, first + 1, last) end
  return ...
end

local function cased(name, change)
  return function(value)
    local text = a_short_text(1, name, value)
    if find(text, "[\128-\255]") then return host[name](text) end
    return change(text)
  end
end

local function matches(value, pattern)
  local text, wanted = a_short_text(1, "gmatch", value), a_short_text(2, "gmatch", pattern)
  searched(host.check_pattern(wanted))
  local from = 0
  local function step(going_on, ...)
    from = going_on
    return captured(text, going_on, ...)
  end
  return function()
    if not from or from > #text then return end
    return step(search(text, wanted, from))
  end
end

local function unsupported(name)
  return function()
    raise(format("The Lua function string.%s is not supported by Karmada.", name))
  end
end

local string_library = {
  byte = function(...)
    local value, i, j = ...
    local text = a_short_text(1, "byte", value)
    local first, last = an_int(2, "byte", i, 1) - 1, an_int(3, "byte", j, -1)
    if first < 0 then first = #text + first + 1 end
    if last < 0 then last = #text + last + 1 end
    if select("#", ...) == 2 then
      if first < 0 or first >= #text then return end
      return byte(text, first + 1) + 0.0
    end
    if first < 0 then first = 0 end
    if last > #text then last = #text end
    if last <= first then return end
    several(first + 1, last)
    local values = {byte(text, first + 1, last)}
    for at = 1, #values do values[at] = values[at] + 0.0 end
    return table.unpack(values)
  end,

  char = function(...)
    local codes, count = {...}, select("#", ...)
    several(1, count)
    for i = 1, count do codes[i] = an_int(i, "char", codes[i]) & 0xff end
    return string.char(table.unpack(codes))
  end,

  find = function(...)
    local value, pattern, init, plain = ...
    local text, wanted = a_short_text(1, "find", value), a_short_text(2, "find", pattern)
    if wanted == "" then return 1.0, 0.0 end
    local from = offset(text, an_int(3, "find", init, 1), true)
    if select("#", ...) == 4 and plain then
      if from > #text then raise("slice bounds out of range") end
      return host.find_plain(text, wanted, from)
    end
    local function found(going_on, first, last, ...)
      if going_on == nil then return nil end
      return first + 1.0, last + 0.0, ...
    end
    return found(search(text, wanted, from))
  end,

  format = function(...)
    local wanted = a_short_text(1, "format", (...))
    local given = {select(2, ...)}
    local count = select("#", ...) - 1
    charge(select(2, string.gsub(wanted, "%%", "")) * 40)
    for i = 1, count do
      local kind = type(given[i])
      if kind == "table" or kind == "function" then given[i] = tostring_of(given[i]) end
    end
    local ok, text = host.format(wanted, table.unpack(given, 1, count))
    if not ok then raise(text) end
    new_text(#text)
    charge(count)
    return text
  end,

  gmatch = matches,
  gfind = matches,
  len = function(value) return #a_text(1, "len", value) + 0.0 end,
  lower = cased("lower", string.lower),
  upper = cased("upper", string.upper),

  match = function(value, pattern, init)
    local text, wanted = a_short_text(1, "match", value), a_short_text(2, "match", pattern)
    local from = an_int(3, "match", init, 1)
    if from < 0 then from = #text + from + 1 end
    return captured(text, search(text, wanted, from < 1 and 0 or from - 1))
  end,

  reverse = function(value)
    return string.reverse(a_short_text(1, "reverse", value))
  end,

  sub = function(value, i, j)
    local text = a_short_text(1, "sub", value)
    local first, last = offset(text, an_int(2, "sub", i), true), offset(text, an_int(3, "sub", j, -1), false)
    if first >= #text or last < first then return "" end
    return sub(text, first + 1, last)
  end,

  dump = unsupported("dump"),
  gsub = unsupported("gsub"),
  rep = unsupported("rep"),
}

-- table ---------------------------------------------------------------------------------------------------

local function append(t, value)
  if value == nil then return end
  local size = getmetatable(t).size
  if size > 0 and rawget(t, size) == nil then
    put(t, length(t) + 1, value)
  else
    put(t, size + 1, value)
  end
  charge(2)
end

local table_library = {
  concat = function(...)
    local t, separator, i, j = ...
    a_table(1, "concat", t)
    if separator ~= nil and type(separator) ~= "string" then mistyped(2, "concat", "string", separator) end
    local last = length(t)
    local from, to = an_int(3, "concat", i, 1), an_int(4, "concat", j, last)
    if select("#", ...) == 3 and (from > last or from < 1) then return "" end
    from, to = math.max(math.min(from, last), 1), math.min(to, last)
    if from > to then return "" end
    if from == to and type(rawget(t, from)) == "number" then return rawget(t, from) end
    charge(to - from)
    local pieces, size = {}, (to - from) * #(separator or "")
    for at = from, to do
      local piece = rawget(t, at)
      if not is_text(piece) then
        raise(format("invalid value (%s) at index %d in table for concat", type(piece), at))
      end
      piece = text_of(piece)
      size = size + #piece
      pieces[at - from + 1] = piece
    end
    new_text(size)
    return table.concat(pieces, separator or "")
  end,

  getn = function(t) return length(a_table(1, "getn", t)) + 0.0 end,
  maxn = function(t) return length(a_table(1, "maxn", t)) + 0.0 end,

  insert = function(...)
    local t, at, value = ...
    local count = select("#", ...)
    a_table(1, "insert", t)
    if count == 1 then raise("wrong number of arguments") end
    if count == 2 then return append(t, at) end
    local size = getmetatable(t).size
    at = an_int(2, "insert", at)
    if at <= 0 or at > size then
      t[at + 0.0] = value
      return
    end
    charge((size - at) // 2 + 2)
    for i = size, at, -1 do put(t, i + 1, rawget(t, i)) end
    rawset(t, at, value)
  end,

  remove = function(...)
    local t, at = ...
    local meta = getmetatable(a_table(1, "remove", t))
    local size = meta.size
    at = select("#", ...) == 1 and -1 or an_int(2, "remove", at)
    if size == 0 or at > size then return nil end
    if at < 1 then at = size end
    local removed = rawget(t, at)
    charge((size - at) // 2 + 2)
    for i = at, size - 1 do rawset(t, i, rawget(t, i + 1)) end
    rawset(t, size, nil)
    meta.size = size - 1
    return removed
  end,

  sort = function(...)
    local t, before = ...
    a_table(1, "sort", t)
    before = select("#", ...) == 1 and R.less or a_function(2, "sort", before)
    local failure
    local function compared(i, j)
      local ok, answer = pcall(function()
        charge(20)
        return before(rawget(t, i + 1), rawget(t, j + 1))
      end)
      if ok then return answer ~= nil and answer ~= false end
      failure = {answer}
    end
    local function swapped(i, j)
      local kept = rawget(t, i + 1)
      rawset(t, i + 1, rawget(t, j + 1))
      rawset(t, j + 1, kept)
    end
    host.sort(getmetatable(t).size, compared, swapped)
    if failure then error(failure[1], 0) end
  end,
}

-- math ----------------------------------------------------------------------------------------------------

local function of_number(name, compute)
  return function(value) return compute(a_number(1, name, value)) + 0.0 end
end

local function of_numbers(name, compute)
  return function(one, other) return compute(a_number(1, name, one), a_number(2, name, other)) + 0.0 end
end

local function extreme(name, wins)
  return function(...)
    local count = select("#", ...)
    if count == 0 then raise("wrong number of arguments") end
    local given = {...}
    charge(count)
    local best = a_number(1, name, given[1])
    for i = 2, count do
      local number = a_number(i, name, given[i])
      if wins(number, best) then best = number end
    end
    return best + 0.0
  end
end

local function sinh(x) return (math.exp(x) - math.exp(-x)) / 2 end
local function cosh(x) return (math.exp(x) + math.exp(-x)) / 2 end

local math_library = {
  abs = of_number("abs", math.abs),
  acos = of_number("acos", math.acos),
  asin = of_number("asin", math.asin),
  atan = of_number("atan", function(x) return math.atan(x) end),
  atan2 = of_numbers("atan2", math.atan),
  ceil = of_number("ceil", ceil),
  cos = of_number("cos", math.cos),
  cosh = of_number("cosh", cosh),
  deg = of_number("deg", function(x) return x * 180 / math.pi end),
  exp = of_number("exp", math.exp),
  floor = of_number("floor", floor),
  fmod = of_numbers("fmod", function(a, b) return math.fmod(a + 0.0, b + 0.0) end),
  frexp = function(value) return host.frexp(a_number(1, "frexp", value)) end,
  ldexp = function(value, power) return host.ldexp(a_number(1, "ldexp", value), an_int(2, "ldexp", power)) end,
  log = of_number("log", function(x) return math.log(x) end),
  log10 = of_number("log10", function(x) return math.log(x, 10.0) end),
  max = extreme("max", function(number, best) return number > best end),
  min = extreme("min", function(number, best) return number < best end),
  mod = of_numbers("mod", function(a, b) return (a + 0.0) % (b + 0.0) end),
  modf = function(value)
    local number = a_number(1, "modf", value)
    local part = (number < 0 and ceil or floor)(number) + 0.0
    return part, number - part
  end,
  pow = of_numbers("pow", function(a, b) return a ^ b end),
  rad = of_number("rad", function(x) return x * math.pi / 180 end),
  random = function(...)
    local m, n = ...
    local count = select("#", ...)
    if count == 0 then return math.random() end
    local least, most = 1, an_int(1, "random", m)
    if count > 1 then least, most = most, an_int(2, "random", n) end
    if most < least then raise("invalid argument to Intn") end
    return math.random(least, most) + 0.0
  end,
  randomseed = function(seed) math.randomseed(an_int(1, "randomseed", seed)) end,
  sin = of_number("sin", math.sin),
  sinh = of_number("sinh", sinh),
  sqrt = of_number("sqrt", math.sqrt),
  tan = of_number("tan", math.tan),
  tanh = of_number("tanh", function(x)
    if math.abs(x) > 20 then return x < 0 and -1.0 or 1.0 end
    return sinh(x) / cosh(x)
  end),
  pi = math.pi,
  huge = 0x1.fffffffffffffp1023,  -- the largest double, not infinity
}

-- os: the clock is an input, so it stands still ------------------------------------------------------------

local TIME_FIELDS = {"year", "month", "day", "hour", "min", "sec"}

local os_library = {
  time = function(...)
    if select("#", ...) == 0 then return host.now() end
    local t, fields = a_table(1, "time", (...)), {}
    for i, name in ipairs(TIME_FIELDS) do
      local value = rawget(t, name)
      fields[i] = type(value) == "number" and whole(value) or false
    end
    return host.seconds_of(table.unpack(fields))
  end,

  date = function(...)
    local count = select("#", ...)
    local wanted = count >= 1 and a_short_text(1, "date", (...)) or "%c"
    local seconds = count >= 2 and an_int(2, "date", (select(2, ...))) + 0.0 or host.now()
    if wanted:find("^!*%*t") then
      local parts = {host.date_parts(seconds)}
      if not parts[1] then raise("the time is out of range") end
      local t = new_table()
      for i, name in ipairs({"year", "month", "day", "hour", "min", "sec", "wday"}) do t[name] = parts[i] end
      t.yday, t.isdst = 0.0, false
      return t
    end
    local text = host.date_text(wanted, seconds)
    if not text then raise("the time is out of range") end
    new_text(#text)
    return text
  end,
}

-- kube ----------------------------------------------------------------------------------------------------

-- What the host answers: nothing, a flat list, or an error.
local function answered(ok, answer)
  charge(2)
  if not ok then raise(answer) end
  if type(answer) == "table" then return R.build(answer) end
  return answer
end

local function pod_template(name, value)
  local flat = {n = 0}
  R.flatten(a_table(1, name, value), flat)
  charge(flat.n * 10)
  return flat
end

local function quantity(n, name, value)
  if value ~= nil and type(value) ~= "string" then mistyped(n, name, "string", value) end
  return value
end

local kube_library = {
  resourceAdd = function(...)
    local count, given = select("#", ...), {...}
    charge(count * 20)
    for i = 1, count do quantity(i, "resourceAdd", given[i]) end
    return answered(host.resource_add(table.unpack(given, 1, count)))
  end,

  accuratePodRequirements = function(...)
    if select("#", ...) ~= 1 then raise("getPodRequirements only accepts one argument") end
    return answered(host.requirements(pod_template("accuratePodRequirements", (...))))
  end,

  getPodDependencies = function(...)
    if select("#", ...) ~= 2 then raise("getPodDependencies only accepts two argument") end
    local template, namespace = ...
    local flat = pod_template("getPodDependencies", template)
    if namespace == nil then namespace = "default" end
    return answered(host.dependencies(flat, a_text(2, "getPodDependencies", namespace)))
  end,

  getResourceQuantity = function(...)
    if select("#", ...) ~= 1 then raise("getResourceQuantity only accepts one argument") end
    charge(20)
    return answered(host.quantity(quantity(1, "getResourceQuantity", (...))))
  end,
}

-- package and the whole -----------------------------------------------------------------------------------

local function preloaded(globals)
  return function(name)
    local package = a_table(1, "require", globals.package)
    local found = a_table(1, "require", package.preload)[name]
    return found == nil and format("no field package.preload['%s']", name) or found
  end
end

local LOADING = new_table()

local function require_of(loaded, loaders)
  local function loader_of(name)
    local tried = {}
    for i = 1, length(loaders) + 1 do
      local loader = rawget(loaders, i)
      if loader == nil then
        raise(format("module %s not found:\n\t%s, ", name, table.concat(tried, "\n\t")))
      end
      charge(4)
      local found = loader(name)
      if type(found) == "function" then return found end
      if type(found) == "string" then tried[#tried + 1] = found end
    end
  end
  return function(value)
    local name = a_text(1, "require", value)
    local module = loaded[name]
    if module == LOADING then raise("loop or previous error loading module: " .. name) end
    if module then return module end
    local loader = loader_of(name)
    loaded[name] = LOADING
    local made = loader(name)
    if loaded[name] == LOADING then loaded[name] = made == nil and true or made end
    return loaded[name]
  end
end

local new_base, new_string, new_table_library = R.library(base), R.library(string_library), R.library(table_library)
local new_math, new_os, new_kube = R.library(math_library), R.library(os_library), R.library(kube_library)
local new_package = R.library({
  loadlib = function() raise("loadlib is not supported") end, loaded = false, loaders = false, preload = false,
})

function R.environment()
  addresses, addressed = {}, 0
  math.randomseed(1)
  local globals, package = new_base(), new_package()
  local strings, tables, maths, times = new_string(), new_table_library(), new_math(), new_os()
  local loaded, loaders, preload = new_table(), new_table(), new_table()
  globals._G, globals.package = globals, package
  globals.string, globals.table, globals.math, globals.os = strings, tables, maths, times
  loaded._G, loaded.string, loaded.table, loaded.math, loaded.os = globals, strings, tables, maths, times
  strings.__index, R.strings.__index = strings, strings
  preload.kube = new_kube
  loaders[1] = preloaded(globals)
  package.preload, package.loaders, package.loaded = preload, loaders, loaded
  globals.require = require_of(loaded, loaders)
  return globals
end

R.tostring = tostring_of
