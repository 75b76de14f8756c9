"""Measures a raw CUPS queue: hands jobs over by IPP on one kept connection and is their printer.

measure.py PORT SCHEDULER_PID QUEUE PRINTER_PORT single|many JOBS

single: one at a time, the queue idle; many: as fast as they are taken. Prints one JSON object:
first_bytes_s, elapsed_s (to the last paper), cpu_s (scheduler and its finished children).
"""

import http.client
import json
import os
import socket
import struct
import sys
import threading
import time

JOB_BYTES = 600
MARK = b"JOB%08d"
PRINTED_WITHIN = 120
PRINT_JOB = 0x0002
OPERATION, CHARSET, LANGUAGE, URI, NAME, MIME, END = 0x01, 0x47, 0x48, 0x45, 0x42, 0x49, 0x03


class Printer:
    """Takes every connection, and remembers when each job's first byte came."""

    def __init__(self, port):
        self.first_bytes = {}
        self.changed = threading.Condition()
        self.door = socket.create_server(("127.0.0.1", port), backlog=512)
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            connection, _ = self.door.accept()
            threading.Thread(target=self.read, args=(connection,), daemon=True).start()

    def read(self, connection):
        came, received = None, b""
        with connection:
            while chunk := connection.recv(65536):
                came = came or time.monotonic()
                received += chunk
        if received.startswith(b"JOB"):
            with self.changed:
                self.first_bytes[int(received[3:11])] = came
                self.changed.notify_all()

    def wait(self, jobs):
        with self.changed:
            done = self.changed.wait_for(lambda: len(self.first_bytes) >= jobs, PRINTED_WITHIN)
        if not done:
            sys.exit(f"{len(self.first_bytes)} of {jobs} jobs printed")


class Queue:
    """A queue of a scheduler, over one kept connection."""

    def __init__(self, port, name):
        self.connection = http.client.HTTPConnection("127.0.0.1", port)
        self.path = f"/printers/{name}"
        self.uri = f"ipp://127.0.0.1:{port}{self.path}".encode()

    def print_job(self, number, data):
        head = struct.pack(">BBHI", 2, 0, PRINT_JOB, number + 1) + bytes([OPERATION])
        attributes = [
            (CHARSET, b"attributes-charset", b"utf-8"),
            (LANGUAGE, b"attributes-natural-language", b"en"),
            (URI, b"printer-uri", self.uri),
            (NAME, b"requesting-user-name", b"bench"),
            (NAME, b"job-name", b"receipt"),
            (MIME, b"document-format", b"application/vnd.cups-raw"),
        ]
        body = head + b"".join(attribute(*each) for each in attributes) + bytes([END]) + data
        self.connection.request("POST", self.path, body, {"Content-Type": "application/ipp"})
        answer = self.connection.getresponse().read()
        (status,) = struct.unpack(">H", answer[2:4])
        if status > 0xFF:
            sys.exit(f"Print-Job was refused: {status:#06x}")


def attribute(tag, name, value):
    return struct.pack(">BH", tag, len(name)) + name + struct.pack(">H", len(value)) + value


def cpu_seconds(pid):
    """User and system time of a process and of its finished children (proc(5), fields 14 to 17)."""
    with open(f"/proc/{pid}/stat") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return sum(int(field) for field in fields[11:15]) / os.sysconf("SC_CLK_TCK")


def main():
    port, pid, name, printer_port, how, jobs = sys.argv[1:]
    jobs = int(jobs)
    printer, queue = Printer(int(printer_port)), Queue(int(port), name)
    begun, cpu, handed_over = time.monotonic(), cpu_seconds(pid), []
    for number in range(jobs):
        handed_over.append(time.monotonic())
        queue.print_job(number, (MARK % number).ljust(JOB_BYTES, b"r"))
        if how == "single":
            printer.wait(number + 1)
            time.sleep(0.02)
    printer.wait(jobs)
    print(json.dumps({
        "first_bytes_s": [printer.first_bytes[n] - at for n, at in enumerate(handed_over)],
        "elapsed_s": time.monotonic() - begun,
        "cpu_s": cpu_seconds(pid) - cpu,
    }))


main()
