-- What functions of the libraries are given, and their errors where it is not what they take.

local R = ...

local type, select, floor, ceil, tointeger = type, select, math.floor, math.ceil, math.tointeger
local format, raise, charge = string.format, R.raise, R.charge

local LONGEST_INPUT = 1000000 -- bytes of a text that Karmada's string functions take
local MOST_VALUES = 5000      -- what gopher-lua's registry holds

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
  if not R.is_text(value) then mistyped(n, name, "string", value) end
  return R.text_of(value)
end

local function a_short_text(n, name, value)
  local text = a_text(n, name, value)
  if #text > LONGEST_INPUT then
    raise(format("string length %d exceeds the maximum allowed input string length %d", #text, LONGEST_INPUT))
  end
  charge(#text // 64 + 8)
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

R.arguments = {
  refuse = refuse, mistyped = mistyped, any = any, table = a_table, func = a_function, text = a_text,
  short_text = a_short_text, whole = whole, int = an_int, number = a_number, several = several,
}
