"""The schema of the API, arranged for a page."""

from typing import Any

Json = dict[str, Any]


def read_reference(schema: Json, prefix: str) -> Json:
    """The routes of an OpenAPI document, and the objects that they take and give."""
    objects = schema["components"]["schemas"]
    routes = [
        _route(path, method, operation)
        for path, methods in schema["paths"].items()
        if path.startswith(prefix)
        for method, operation in methods.items()
    ]
    return {"routes": routes, "objects": [_object(n, objects[n]) for n in objects]}


def _route(path: str, method: str, operation: Json) -> Json:
    body = operation.get("requestBody", {}).get("content", {})
    answers = {
        status: _named(content.get("application/json", {}).get("schema", {}))
        for status, answer in operation["responses"].items()
        if (content := answer.get("content", {})) and int(status) < 400
    }
    return {
        "path": path,
        "method": method.upper(),
        "summary": operation.get("description") or operation["summary"],
        "parameters": [
            {
                "name": parameter["name"],
                "where": parameter["in"],
                "type": _type(parameter["schema"]),
                "required": parameter.get("required", False),
            }
            for parameter in operation.get("parameters", [])
        ],
        "body": _named(body.get("application/json", {}).get("schema", {})),
        "answers": answers,
    }


def _object(name: str, schema: Json) -> Json:
    required = schema.get("required", [])
    return {
        "name": name,
        "description": schema.get("description", ""),
        "fields": [
            {
                "name": field,
                "type": _type(about),
                "required": field in required,
                "description": about.get("description", ""),
            }
            for field, about in schema.get("properties", {}).items()
        ],
    }


def _named(schema: Json) -> str:
    return str(schema.get("$ref", "")).rpartition("/")[2] or schema.get("title", "")


def _type(schema: Json) -> str:
    """In words, as in `one of memory, profile` or `list of NewFact`."""
    if "$ref" in schema:
        return _named(schema)
    if "anyOf" in schema:
        return " or ".join(map(_type, schema["anyOf"]))
    if "enum" in schema:
        return "one of " + ", ".join(map(str, schema["enum"]))
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}))}"
    return str(schema.get("format") or schema.get("type") or "value")
