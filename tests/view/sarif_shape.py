"""What SARIF 2.1.0 and GitHub ask of a file, as far as krender writes it: names, types, bounds."""

from __future__ import annotations

from typing import Final

TEXT: Final = {"type": "string", "minLength": 1}
DESCRIPTION: Final = {
    "type": "object",
    "additionalProperties": False,
    "required": ["text"],
    "properties": {"text": {**TEXT, "maxLength": 1024}},
}
COUNT: Final = {"type": "integer", "minimum": 1}
LEVEL: Final = {"enum": ["none", "note", "warning", "error"]}

RULE: Final = {
    "type": "object",
    "additionalProperties": False,
    "required": ["id", "name", "shortDescription", "fullDescription", "help", "defaultConfiguration"],
    "properties": {
        "id": {**TEXT, "maxLength": 255},
        "name": {**TEXT, "maxLength": 255},
        "shortDescription": DESCRIPTION,
        "fullDescription": DESCRIPTION,
        "help": {
            "type": "object",
            "additionalProperties": False,
            "required": ["text", "markdown"],
            "properties": {"text": TEXT, "markdown": TEXT},
        },
        "defaultConfiguration": {
            "type": "object",
            "additionalProperties": False,
            "properties": {"level": LEVEL},
        },
        "properties": {
            "type": "object",
            "properties": {
                "tags": {"type": "array", "maxItems": 10, "items": TEXT},
                "precision": {"enum": ["very-high", "high", "medium", "low"]},
                "problem.severity": {"enum": ["error", "warning", "recommendation"]},
            },
        },
    },
}
RESULT: Final = {
    "type": "object",
    "additionalProperties": False,
    "required": ["ruleId", "ruleIndex", "level", "message", "locations", "partialFingerprints"],
    "properties": {
        "ruleId": TEXT,
        "ruleIndex": {"type": "integer", "minimum": 0},
        "level": LEVEL,
        "message": {
            "type": "object",
            "additionalProperties": False,
            "required": ["text"],
            "properties": {"text": TEXT},
        },
        "locations": {
            "type": "array",
            "minItems": 1,
            "maxItems": 1,
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["physicalLocation"],
                "properties": {
                    "physicalLocation": {
                        "type": "object",
                        "additionalProperties": False,
                        "required": ["artifactLocation", "region"],
                        "properties": {
                            "artifactLocation": {
                                "type": "object",
                                "additionalProperties": False,
                                "required": ["uri"],
                                "properties": {
                                    "uri": {"type": "string", "pattern": r"^[A-Za-z0-9._~%!$&'()*+,;=@/-]+$"},
                                    "uriBaseId": TEXT,
                                },
                            },
                            "region": {
                                "type": "object",
                                "additionalProperties": False,
                                "required": ["startLine"],
                                "properties": {
                                    "startLine": COUNT,
                                    "startColumn": COUNT,
                                    "endLine": COUNT,
                                    "endColumn": COUNT,
                                },
                            },
                        },
                    }
                },
            },
        },
        "partialFingerprints": {
            "type": "object",
            "additionalProperties": False,
            "required": ["primaryLocationLineHash"],
            "properties": {"primaryLocationLineHash": {"type": "string", "pattern": "^[0-9a-f]{16}:[0-9]+$"}},
        },
    },
}
SARIF: Final = {
    "type": "object",
    "additionalProperties": False,
    "required": ["$schema", "version", "runs"],
    "properties": {
        "$schema": TEXT,
        "version": {"const": "2.1.0"},
        "runs": {
            "type": "array",
            "minItems": 1,
            "maxItems": 1,
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["tool", "results", "automationDetails"],
                "properties": {
                    "tool": {
                        "type": "object",
                        "additionalProperties": False,
                        "required": ["driver"],
                        "properties": {
                            "driver": {
                                "type": "object",
                                "additionalProperties": False,
                                "required": ["name", "semanticVersion", "rules"],
                                "properties": {
                                    "name": TEXT,
                                    "semanticVersion": TEXT,
                                    "rules": {"type": "array", "maxItems": 25_000, "items": RULE},
                                },
                            }
                        },
                    },
                    "automationDetails": {
                        "type": "object",
                        "additionalProperties": False,
                        "required": ["id"],
                        "properties": {"id": {"type": "string", "pattern": "^[^/].*/$"}},
                    },
                    "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                    "invocations": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "additionalProperties": False,
                            "required": ["executionSuccessful"],
                            "properties": {
                                "executionSuccessful": {"type": "boolean"},
                                "toolExecutionNotifications": {"type": "array"},
                            },
                        },
                    },
                    "results": {"type": "array", "maxItems": 25_000, "items": RESULT},
                },
            },
        },
    },
}
