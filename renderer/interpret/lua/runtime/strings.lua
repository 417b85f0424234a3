-- The library `string`. Patterns and formats are the host's.
-- Source: gopher-lua stringlib.go; Karmada pkg/util/lifted/lua/string_safe.go.

local R, host = ...

local type, select = type, select
local format, byte, sub = string.format, string.byte, string.sub
local find, pack, unpack = string.find, table.pack, table.unpack
local charge, raise, new_text = R.charge, R.raise, R.new_text
local given = R.arguments
local a_text, a_short_text, an_int, several = given.text, given.short_text, given.int, given.several

-- An index of a text, counted from the end where it is negative, as an offset from 0.
local function offset(text, i, is_start)
  if is_start and i ~= 0 then i = i - 1 end
  if i < 0 then i = #text + i + 1 end
  if i < 0 then i = 0 end
  if not is_start and i > #text then i = #text end
  return i
end

-- The first match from an offset on: its bounds, then its captures; nothing where there is none.
local function search(text, pattern, from)
  charge(60)
  local found = pack(host.search(text, pattern, from, R.steps_left()))
  charge(found[1])
  if found[2] then raise(found[2]) end
  return unpack(found, 3, found.n)
end

-- The captures, or the whole match where there are none.
local function captured(text, first, last, ...)
  if first == nil then return end
  if select("#", ...) == 0 then return sub(text, first + 1, last) end
  return ...
end

local function cased(name, change)
  return function(value)
    local text = a_short_text(1, name, value)
    if find(text, "[\128-\255]") then
      charge(#text * 8)
      return host[name](text)
    end
    return change(text)
  end
end

-- All matches are looked for at once, as gopher-lua does.
local function matches(value, pattern)
  local text, wanted = a_short_text(1, "gmatch", value), a_short_text(2, "gmatch", pattern)
  charge(60)
  local used, fault, found = host.search_all(text, wanted, R.steps_left())
  charge(used)
  if fault then raise(fault) end
  local at = 0
  return function()
    local count = found[at + 1]
    charge(4)
    if not count then return end
    local from = at + 2
    at = at + 1 + count
    return unpack(found, from, at)
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
    return unpack(values)
  end,

  char = function(...)
    local codes, count = {...}, select("#", ...)
    several(1, count)
    charge(8)
    for i = 1, count do codes[i] = an_int(i, "char", codes[i]) & 0xff end
    return string.char(unpack(codes))
  end,

  find = function(...)
    local value, pattern, init, plain = ...
    local text, wanted = a_short_text(1, "find", value), a_short_text(2, "find", pattern)
    if wanted == "" then return 1.0, 0.0 end
    local from = offset(text, an_int(3, "find", init, 1), true)
    if select("#", ...) == 4 and plain then
      if from > #text then raise("slice bounds out of range") end
      charge(60 + (#text + #wanted) // 8)
      return host.find_plain(text, wanted, from)
    end
    local function found(first, last, ...)
      if first == nil then return nil end
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
      if kind == "table" or kind == "function" then given[i] = R.tostring(given[i]) end
    end
    local ok, text = host.format(wanted, unpack(given, 1, count))
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

R.string_library = string_library
