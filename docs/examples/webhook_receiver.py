#!/usr/bin/env python3
"""Receives webhooks of the Tillroll dispatcher and verifies them (Standard Webhooks 1.0).

Usage: TILLROLL_WEBHOOK_SECRET=whsec_... webhook_receiver.py [PORT]

Prints one line of JSON for the port it listens on, then one for each webhook that was sent by the
dispatcher, is not older than five minutes, and did not come before. Needs Python 3.9, nothing else.
"""

import base64
import hashlib
import hmac
import json
import os
import sys
import time
from collections import OrderedDict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOLERANCE_S = 5 * 60
MAX_BODY = 1024 * 1024
REMEMBERED = 10_000

KEY = base64.b64decode(os.environ["TILLROLL_WEBHOOK_SECRET"].removeprefix("whsec_"))

# A webhook comes at least once: its id tells a repeat. Keep the ids where a restart does not lose them.
seen = OrderedDict()


def is_genuine(headers, body):
    """Whether the dispatcher sent this body, and lately."""
    message_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > TOLERANCE_S:
        return False
    signed = f"{message_id}.{timestamp}.".encode() + body
    expected = base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest())
    # Several signatures stand side by side while a secret is replaced.
    for candidate in headers.get("webhook-signature", "").split():
        version, _, signature = candidate.partition(",")
        if version == "v1" and hmac.compare_digest(signature.encode(), expected):
            return True
    return False


def is_new(message_id):
    """Whether this webhook did not come before."""
    if message_id in seen:
        return False
    seen[message_id] = None
    if len(seen) > REMEMBERED:
        seen.popitem(last=False)
    return True


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 15

    def do_POST(self):
        length = int(self.headers.get("content-length", "0"))
        if length > MAX_BODY:
            self.close_connection = True
            return self.answer(413)
        body = self.rfile.read(length)
        # The bytes as they came are signed: verify before reading them as JSON.
        if not is_genuine(self.headers, body):
            return self.answer(401)
        if is_new(self.headers["webhook-id"]):
            job = json.loads(body)
            print(json.dumps({"verified": True, "job": job["id"], "state": job["state"]}), flush=True)
        # Only now the dispatcher may forget it. Take in what you need first, work on it later.
        return self.answer(204)

    def answer(self, status):
        self.send_response(status)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    server = ThreadingHTTPServer(("127.0.0.1", port), Receiver)
    print(json.dumps({"listening": server.server_address[1]}), flush=True)
    server.serve_forever()
