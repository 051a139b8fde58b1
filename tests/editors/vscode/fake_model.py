"""A model on this machine for the driver: answers every prompt with one call. Prints its address, ends with its standard input."""

import sys

from tests.trial.model_servers import answer_with, model_server

with model_server("openai-chat", answer_with("openai-chat", [("open_depot", {})])) as model:
    print(model.url, flush=True)
    sys.stdin.read()
