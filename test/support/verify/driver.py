# Answers, as a JSON list, which vectors of the file given is_genuine of the guide (verify.py, beside this) accepts.
import json
import sys
from email.message import Message

from verify import is_genuine


def accepts(vector):
    headers = Message()  # knows its names in any case, as a framework's headers do
    for name, value in vector["headers"].items():
        headers[name.lower()] = value
    body = vector["body"].encode()
    return is_genuine(headers, body, vector["secrets"], vector["tolerance_seconds"], vector["now"])


with open(sys.argv[1], encoding="utf-8") as file:
    print(json.dumps([accepts(vector) for vector in json.load(file)["vectors"]]))
