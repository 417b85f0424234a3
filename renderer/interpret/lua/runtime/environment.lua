-- The globals of a run, and `require`.
-- Source: gopher-lua baselib.go loRequire; Karmada pkg/util/lifted/lua/loadlib_safe.go.

local R = ...

local type, rawget = type, rawget
local format, join = string.format, table.concat
local charge, raise, length, new_table = R.charge, R.raise, R.length, R.new_table
local given = R.arguments
local a_table, a_text = given.table, given.text

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
        raise(format("module %s not found:\n\t%s, ", name, join(tried, "\n\t")))
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

local new_base, new_string = R.library(R.base), R.library(R.string_library)
local new_table_library = R.library(R.table_library)
local new_math, new_os = R.library(R.math_library), R.library(R.os_library)
local new_kube = R.library(R.kube_library)
local new_package = R.library({
  loadlib = function() raise("loadlib is not supported") end,
  loaded = false, loaders = false, preload = false,
})

function R.environment()
  R.forget_addresses()
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
