"""Kinds of other projects that Karmada ships customizations for.

Karmada states them as Lua scripts; here they are Python, down to what happens to values on the way into
Lua and back. Source: Karmada pkg/resourceinterpreter/default/thirdparty.
"""
