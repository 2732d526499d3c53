"""Calls the function that each line of standard input names, {"do": name, ...arguments}, and prints its result as a line."""
import json
import sys


def answer_all(functions):
    for line in sys.stdin:
        question = json.loads(line)
        try:
            answer = {'value': functions[question.pop('do')](**question)}
        except Exception as error:  # noqa: BLE001
            answer = {'error': f'{type(error).__name__}: {error}'}
        print(json.dumps(answer), flush=True)
