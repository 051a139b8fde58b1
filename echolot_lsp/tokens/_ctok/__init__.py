"""The text model of ctok 1.3.0 by Sander Land (MIT, ``LICENSE`` beside this file): text to marked stream, and its notation.

``constants.py``, ``normalize.py`` and ``notation.py`` are unchanged copies; only this sentence and the tiling, which lives in
``tokens/claude.py``, are ours. ctok is an unofficial reconstruction of Claude's tokenizers by measuring.
"""
