-- The library `kube`, which the host knows.
-- Source: Karmada pkg/resourceinterpreter/customized/declarative/luavm/kube.go.

local R, host = ...

local type, select = type, select
local unpack = table.unpack
local charge, raise = R.charge, R.raise
local given = R.arguments
local a_table, a_short_text, mistyped = given.table, given.short_text, given.mistyped

-- What the host answers: nothing, a flat list, or an error.
local function answered(ok, answer)
  charge(2)
  if not ok then raise(answer) end
  if type(answer) == "table" then answer = R.build(answer) end
  return answer
end

local function pod_template(name, value)
  local flat = {n = 0}
  R.flatten(a_table(1, name, value), flat)
  charge(flat.n * 30 + 400)
  return flat
end

local function quantity(n, name, value)
  if value ~= nil and type(value) ~= "string" then mistyped(n, name, "string", value) end
  charge(value and #value // 16 or 0)
  return value
end

local kube_library = {
  resourceAdd = function(...)
    local count, given = select("#", ...), {...}
    charge(count * 200 + 100)
    for i = 1, count do quantity(i, "resourceAdd", given[i]) end
    local sum = answered(host.resource_add(unpack(given, 1, count)))
    return sum
  end,

  accuratePodRequirements = function(...)
    if select("#", ...) ~= 1 then raise("getPodRequirements only accepts one argument") end
    local requirements = answered(host.requirements(pod_template("accuratePodRequirements", (...))))
    return requirements
  end,

  getPodDependencies = function(...)
    if select("#", ...) ~= 2 then raise("getPodDependencies only accepts two argument") end
    local template, namespace = ...
    local flat = pod_template("getPodDependencies", template)
    if namespace == nil then namespace = "default" end
    local found = answered(host.dependencies(flat, a_short_text(2, "getPodDependencies", namespace)))
    return found
  end,

  getResourceQuantity = function(...)
    if select("#", ...) ~= 1 then raise("getResourceQuantity only accepts one argument") end
    charge(200)
    local number = answered(host.quantity(quantity(1, "getResourceQuantity", (...))))
    return number
  end,
}

R.kube_library = kube_library
