-- The library `os`: the time is an input, so the clock stands still.
-- Source: Karmada pkg/util/lifted/lua/oslib_safe.go.

local R, host = ...

local type, rawget, select, ipairs = type, rawget, select, ipairs
local unpack = table.unpack
local charge, raise, new_text, new_table = R.charge, R.raise, R.new_text, R.new_table
local given = R.arguments
local a_table, a_short_text, an_int, whole = given.table, given.short_text, given.int, given.whole

local TIME_FIELDS = {"year", "month", "day", "hour", "min", "sec"}

local os_library = {
  time = function(...)
    charge(100)
    if select("#", ...) == 0 then return host.now() end
    local t, fields = a_table(1, "time", (...)), {}
    for i, name in ipairs(TIME_FIELDS) do
      local value = rawget(t, name)
      fields[i] = type(value) == "number" and whole(value) or false
    end
    return host.seconds_of(unpack(fields))
  end,

  date = function(...)
    local count = select("#", ...)
    local wanted = count >= 1 and a_short_text(1, "date", (...)) or "%c"
    charge(#wanted * 20 + 100)
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

R.os_library = os_library
