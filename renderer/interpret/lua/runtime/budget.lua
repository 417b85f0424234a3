-- What a script may use up, errors at its lines, and its numbers and texts.
--
-- Each of these files is handed the table R of what the others have, the functions of the host, and the
-- limits. All of this is trusted: no script sees a function of real Lua, a metatable or a thing of the host.

local R, host, limits = ...

local type, error, floor, format = type, error, math.floor, string.format
local getinfo, collect = debug.getinfo, collectgarbage

local SOURCE = "=<string>"    -- as gopher-lua calls a script
local SLICE = 65536           -- steps from one look at the memory to the next

-- Steps are worth some fifty nanoseconds each; memory is what is in use. ---------------------------

local STOPPED = {}            -- the error that no script can catch
local left, rest = SLICE, 0   -- steps of this slice, steps after it
local line_left               -- where the script last returned what a call gives
local reason                  -- why the script was stopped

local function stop(why)
  reason, left, rest = reason or why, -1, -1
  error(STOPPED, 0)
end

local function in_use()
  return collect("count") * 1024
end

local function look()
  if reason then stop() end
  rest = rest + left
  if rest < 0 then stop("steps") end
  if in_use() > limits.bytes then
    collect()
    if in_use() > limits.bytes then stop("memory") end
  end
  left = rest < SLICE and rest or SLICE
  rest = rest - left
end

local function charge(steps)
  left = left - steps
  if left < 0 then look() end
end

local function step()
  left = left - 1
  if left < 0 then look() end
end

-- Begin a run: nothing is used up yet.
local function begin()
  left, rest, reason, line_left = 0, limits.steps, nil, nil
end

-- Whether an error ends the run, whatever the script would do about it.
local function is_final(fault)
  if fault == "not enough memory" then reason = reason or "memory" end
  return reason or type(fault) == "userdata"
end

-- Errors, at the line of the script that is running. -----------------------------------------------

-- The line of the script's innermost function, or of the one that many further out.
local function line_of_script(further_out)
  local level, skip = 2, further_out or 0
  while true do
    local info = getinfo(level, "Slt")
    if not info then return nil end
    if info.source == SOURCE then
      if skip == 0 then return info.currentline end
      skip = skip - 1
    elseif info.istailcall then
      return line_left
    end
    level = level + 1
  end
end

-- Raise an error. Its level means what it means in gopher-lua, where the first two are the same.
local function raise(text, level)
  charge(80)
  local line = line_of_script(level and level > 2 and level - 2 or 0)
  error(line and format("<string>:%d: %s", line, text) or text, 0)
end

local function enter()
  left = left - 4
  if left < 0 then look() end
  if getinfo(limits.frames, "") then raise("stack overflow") end
end

-- Numbers and texts. -------------------------------------------------------------------------------

local function text_of(value)
  if type(value) == "string" then return value end
  if value == floor(value) and value >= -0x1p63 and value < 0x1p63 then return format("%d", value) end
  charge(60)
  return host.number_text(value)
end

local function is_text(value)
  local kind = type(value)
  return kind == "string" or kind == "number"
end

local function number_of(value)
  if type(value) == "number" then return value end
  if type(value) == "string" then
    charge(#value // 16 + 40)
    return host.parsed_number(value)
  end
end

local function new_text(length)
  if length > limits.text then raise(format("a text would be longer than %d bytes", limits.text)) end
  charge(length // 64)
end

R.charge, R.step, R.enter, R.begin, R.is_final = charge, step, enter, begin, is_final
R.raise, R.line_of_script = raise, line_of_script
R.text_of, R.is_text, R.number_of, R.new_text = text_of, is_text, number_of, new_text

R.SOURCE = SOURCE

-- Why the run was stopped: "steps", "memory" or nil.
function R.reason()
  return reason
end

function R.steps_left()
  return left + rest
end

-- Where the script returns what a call gives, as that call takes the place of the function.
function R.leaves(line)
  line_left = line
end
