# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
"""Writes the page about every key of a JSON Schema: a table for each object.

Reads what the schema of matrix files uses: properties, items, enum, const, oneOf, anyOf and definitions. A sentence
"Unstated: ..." of a description becomes the default.
"""
import re

UNSTATED = re.compile(r"\s*\bUnstated: (.*?)(?:\.(?=\s)|\.$|$)")


def resolve(schema, node):
    """Returns the node with what its $ref names; its own keys win."""
    if "$ref" not in node:
        return node
    target = schema
    for part in node["$ref"].removeprefix("#/").split("/"):
        target = target[part]
    return {**resolve(schema, target), **node}


def objects(schema):
    """Yields (path, object) for the schema and each object with properties in it, from outside to inside."""
    pending = [("", schema)]
    for path, node in pending:
        yield path, node
        for key, value in node["properties"].items():
            value = resolve(schema, value)
            name = f"{path}.{key}" if path else key
            if "properties" in value:
                pending.append((name, value))
            items = resolve(schema, value.get("items", {}))
            if "properties" in items:
                pending.append((f"{name}[]", items))


def undescribed(schema):
    """Returns the keys without a description, with their paths."""
    return [f"{path}.{key}" if path else key for path, node in objects(schema)
            for key, value in node["properties"].items()
            if not resolve(schema, value).get("description", "").strip()]


def type_of(schema, node, plural=False):
    """Returns a node's type in words and code."""
    node = resolve(schema, node)
    s = "s" if plural else ""
    if "enum" in node:
        return ", ".join(f"`{value}`" for value in node["enum"])
    if "const" in node:
        return f"`\"{node['const']}\"`"
    for word in ("oneOf", "anyOf"):
        if word in node and "properties" not in node:
            return " or ".join(type_of(schema, choice) for choice in node[word])
    if node["type"] == "array":
        return f"list{s} of " + type_of(schema, node["items"], True)
    if isinstance(node.get("additionalProperties"), dict):
        return f"object{s} with " + type_of(schema, node["additionalProperties"], True)
    return node["type"] + s


def prose(text):
    """Returns a description as Markdown: signs are signs, and pages of docs/ are links."""
    parts = text.split("`")
    parts[::2] = (re.sub(r"docs/([\w-]+)\.md", r"[\1](\1.md)", re.sub(r"([*_|<\[\\])", r"\\\1", part))
                  for part in parts[::2])
    return "`".join(parts)


def row(schema, node, key):
    value = resolve(schema, node["properties"][key])
    text = value.get("description", "")
    unstated = UNSTATED.search(text)
    default = unstated.group(1) if unstated else ""
    if key in node.get("required", []):
        default = "*required*"
    else:
        default = prose(default) or "-"
    return f"| `{key}` | {type_of(schema, value)} | {default} | {prose(UNSTATED.sub('', text).strip())} |"


def page(schema, title, introduction):
    """Returns the page as Markdown."""
    lines = [f"# {title}", "", introduction, ""]
    for path, node in objects(schema):
        lines += [f"## `{path}`" if path else "## The file", ""]
        lines += ["| key | type | default | meaning |", "|---|---|---|---|"]
        lines += [row(schema, node, key) for key in node["properties"]]
        lines.append("")
    return "\n".join(lines)
