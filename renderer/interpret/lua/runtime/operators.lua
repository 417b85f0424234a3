-- Operators that mean something else in Lua 5.4, or cost as much as their texts are long.

local R = ...

local type, select, getmetatable = type, select, getmetatable
local byte, format, join = string.byte, string.format, table.concat
local charge, raise, new_text = R.charge, R.raise, R.new_text
local text_of, is_text, number_of = R.text_of, R.is_text, R.number_of

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
  charge(count * 2 + 8)
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
      charge(i)
      return a < b
    end
  end
  charge(shorter)
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
  local t = R.table_of({...}, count)
  t.n = count + 0.0
  return t
end

-- In the order in which translated scripts take them.
R.helpers = {
  R.step, R.enter,
  function(...) charge(select("#", ...) // 4) R.enter() end,
  function(made) charge(2) return made end,
  more, arg_table, R.new_table, R.fill, R.NEXT, key_of, concat, equal,
  function(one, other) return not equal(one, other) end,
  less,
  function(one, other) return less(other, one) end,
  most,
  function(one, other) return most(other, one) end,
  function(iterator, state, first) return iterator, state, first end,
  R.leaves,
  function(bound)
    if type(bound) ~= "number" then raise("for statement: its bounds must be numbers") end
    return bound
  end,
}

R.less, R.strings = less, strings
