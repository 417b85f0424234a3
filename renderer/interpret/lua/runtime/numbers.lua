-- The library `math`.
-- Source: gopher-lua mathlib.go.

local R, host = ...

local select = select
local floor, ceil = math.floor, math.ceil
local charge, raise = R.charge, R.raise
local given = R.arguments
local an_int, a_number = given.int, given.number

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
  ldexp = function(value, power)
    return host.ldexp(a_number(1, "ldexp", value), an_int(2, "ldexp", power))
  end,
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
    charge(4)
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

R.math_library = math_library
