"""Lua scripts of ResourceInterpreterCustomizations, run as Karmada's interpreter runs them.

Karmada's Lua is gopher-lua: Lua 5.1 with goto, tables that remember the order of their keys, and libraries
in Go. Here a script is read by that grammar (`tokens`, `expressions`, `statements`), written down anew for
Lua 5.4, and run by lupa in a sandbox (`machine` and its `runtime`). That counts what is done instead of
looking at a clock, so a script gives the same answer on every machine.
Source: github.com/yuin/gopher-lua v1.1.1, Karmada pkg/resourceinterpreter/customized/declarative.
"""
