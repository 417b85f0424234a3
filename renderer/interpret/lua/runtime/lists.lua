-- The library `table`.
-- Source: gopher-lua table.go, tablelib.go.

local R, host = ...

local type, rawget, rawset, select = type, rawget, rawset, select
local error, pcall, getmetatable = error, pcall, getmetatable
local format, join = string.format, table.concat
local charge, raise, text_of, is_text = R.charge, R.raise, R.text_of, R.is_text
local new_text, length, put = R.new_text, R.length, R.put
local given = R.arguments
local a_table, a_function, an_int, mistyped = given.table, given.func, given.int, given.mistyped

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
    charge((to - from) * 2 + 8)
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
    return join(pieces, separator or "")
  end,

  getn = function(t) return length(a_table(1, "getn", t)) + 0.0 end,
  maxn = function(t) return length(a_table(1, "maxn", t)) + 0.0 end,

  insert = function(...)
    local t, at, value = ...
    local count = select("#", ...)
    a_table(1, "insert", t)
    if count == 1 then raise("wrong number of arguments") end
    if count == 2 then
      append(t, at)
      return
    end
    local size = getmetatable(t).size
    at = an_int(2, "insert", at)
    if at <= 0 or at > size then
      t[at + 0.0] = value
      return
    end
    charge(size - at + 8)
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
    charge(size - at + 8)
    for i = at, size - 1 do rawset(t, i, rawget(t, i + 1)) end
    rawset(t, size, nil)
    meta.size = size - 1
    return removed
  end,

  sort = function(...)
    local t, before = ...
    a_table(1, "sort", t)
    before = select("#", ...) == 1 and R.less or a_function(2, "sort", before)
    charge(400)
    local failure
    local function compared(i, j)
      local ok, answer = pcall(function()
        charge(60)
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

R.table_library = table_library
