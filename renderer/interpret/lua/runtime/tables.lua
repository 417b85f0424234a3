-- Tables as gopher-lua has them: a list whose last item counts although there are holes before it, then all
-- other keys in the order in which they came.

local R = ...

local rawget, rawset, select, ipairs, next = rawget, rawset, select, ipairs, next
local getmetatable, setmetatable, load = getmetatable, setmetatable, load
local math_type, floor, tointeger = math.type, math.floor, math.tointeger
local format, unpack, join, sort = string.format, table.unpack, table.concat, table.sort
local charge, raise = R.charge, R.raise

local MOST_INDEX = 67108864   -- keys below are indexes of the list

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
  charge(6)
  if key == nil or key ~= key then raise("table index is " .. (key == nil and "nil" or "NaN")) end
  if is_index(key) then
    if key > meta.size then
      charge((key - meta.size) // 4)
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
  charge((size - last) // 4)
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
        charge((i - begin) // 4)
        return i + 0.0, value
      end
    end
    charge((meta.size - begin) // 4)
  else
    from = (places(meta)[key] or 1) + 1
  end
  for i = from, meta.n do
    local value = rawget(t, meta[i])
    if value ~= nil then
      charge((i - from) // 4)
      return meta[i], value
    end
  end
  charge((meta.n - from) // 4)
end

-- What makes tables with functions by name, in the order of their names. Written out, because a table that
-- is made at its size costs a third of one that grows.
function R.library(functions)
  local names, fields = {}, {}
  for name in next, functions do names[#names + 1] = name end
  sort(names)
  for i, name in ipairs(names) do fields[i] = format("%s=f.%s", name, name) end
  local made = load(format("local f=... return function() return {%s} end", join(fields, ",")))(functions)
  return function()
    charge(#names)
    local meta = {__newindex = newindex, __len = length, size = 0, n = #names, unpack(names)}
    return setmetatable(made(), meta)
  end
end

R.new_table, R.table_of, R.put, R.length, R.following = new_table, table_of, put, length, following
R.NEXT, R.fill = NEXT, fill
