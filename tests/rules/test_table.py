"""The promise of the rules, as data: every id with its severity and default. Each promise has a rule, each rule a promise."""

from __future__ import annotations

from echolot_lsp.rules import all_rules

P, W, N = "problem", "warning", "note"

PART_A = {
    "name-not-accepted": P,
    "no-description": P,
    "description-restates-name": W,
    "description-long": N,
    "schema-not-object": P,
    "schema-no-properties": N,
    "accepts-any-object": W,
    "required-undefined": P,
    "param-no-type": P,
    "param-free-object": W,
    "param-no-description": W,
    "uses-ref": W,
    "gemini-drops-keyword": N,
    "schema-large": W,
    "params-over-25": W,
    "nested-over-5": W,
    "enum-over-40": N,
    "names-confusable": P,
    "descriptions-same": P,
    "descriptions-similar": W,
    "tools-over-128": P,
    "tools-over-40": W,
    "list-over-20000-tokens": W,
}

PART_B = {
    "root-combinator": P,
    "array-no-items": P,
    "property-key-invalid": P,
    "name-first-char": P,
    "ref-unresolved": P,
    "boolean-schema": P,
    "schema-invalid": P,
    "enum-type-mismatch": P,
    "enum-empty-value": P,
    "schema-dialect": P,
    "enum-not-string": W,
    "ref-recursive": W,
    "type-list": W,
    "anyof-nested": W,
    "default-type-mismatch": W,
    "output-schema-not-object": W,
    "description-over-2048": W,
    "array-items-any": W,
    "tuple-schema": W,
    "names-numbered": W,
    "param-json-in-string": W,
    "gemini-format": N,
    "optional-anyof-null": N,
    "title-noise": N,
    "description-indented": N,
    "repeated-subschema": N,
    "name-long-for-prefix": N,
    "name-repeats-prefix": N,
    "name-opaque": N,
    "param-names-inconsistent": N,
    "local-grammar-pattern": N,
    "local-grammar-repeat": N,
}

ONLY_PYTHON = {
    "context-leak": P,
    "self-leak": P,
    "varargs": P,
    "wrapped-signature-lost": P,
    "py-unannotated": W,
    "py-optional-no-default": W,
    "py-duplicate-name": P,
    "py-param-underscore": W,
    "py-param-reserved": P,
    "py-decorator-not-called": P,
    "py-list-fails": P,
    "py-import-gone": P,
    "py-hint-keyword-ignored": W,
    "output-schema-from-annotation": N,
    "py-dynamic": N,
}

ONLY_LIVE = {
    "live-crash": P,
    "live-pagination-loop": P,
    "live-stdout-noise": W,
    "list-shrunk": W,
    "live-empty": W,
    "live-no-tools": N,
    "live-slow-start": N,
    "live-differs": W,
}

ONLY_IN_THE_REPORT = {
    "optional-anyof-null",
    "title-noise",
    "description-indented",
    "repeated-subschema",
    "name-long-for-prefix",
    "name-opaque",
    "name-repeats-prefix",
    "param-names-inconsistent",
    "local-grammar-pattern",
    "local-grammar-repeat",
    "anyof-nested",
    "gemini-format",
}


def test_every_promised_rule_exists_with_its_severity() -> None:
    rules = {
        seen: {rule.id: rule.severity.value for rule in all_rules().values() if rule.sees == seen}
        for seen in ("any", "python", "live")
    }
    assert rules == {"any": PART_A | PART_B, "python": ONLY_PYTHON, "live": ONLY_LIVE}


def test_rules_speak_where_they_promise_to() -> None:
    defaults = {rule.id: rule.default.value for rule in all_rules().values()}
    assert {rule for rule, default in defaults.items() if default == "report"} == ONLY_IN_THE_REPORT
    assert "off" not in defaults.values()


def test_a_rule_stands_in_the_file_of_its_name() -> None:
    from importlib import import_module

    for rule in all_rules().values():
        assert import_module(f"echolot_lsp.rules.{rule.id.replace('-', '_')}").RULE.id == rule.id
