#!/usr/bin/env python3
"""Derives printers.json from escpos-printer-db.

    pip download --no-deps python-escpos==3.1
    unzip -p python_escpos-3.1-*.whl escpos/capabilities.json | python3 derive.py > printers.json

Same input, same output. What is kept and why is said in ATTRIBUTION.md.
"""

import json
import sys

PRINTERS = [
    "NT-5890K", "POS-5890", "RP326", "Sunmi-V2", "TM-T20II", "TM-T20II-42col", "TM-T88III",
    "TM-T88IV", "TM-T88V", "ZJ-5870", "default",
]

# Pages whose characters stand one to a cell, from left to right: no Arabic, Hebrew or Thai, which
# are set in dots, and none with another letter in place of an ASCII sign.
PAGES = {
    "CP437", "CP737", "CP775", "CP850", "CP852", "CP855", "CP857", "CP858", "CP860", "CP861",
    "CP863", "CP865", "CP866", "CP869", "CP1250", "CP1251", "CP1252", "CP1253", "CP1254", "CP1257",
    "ISO_8859-2", "ISO_8859-4", "ISO_8859-5", "ISO_8859-7", "ISO_8859-15",
}


def cutter(features):
    full, partial = features["paperFullCut"], features["paperPartCut"]
    return {(True, True): "both", (True, False): "full", (False, True): "partial"}.get(
        (full, partial), "none"
    )


def number(value):
    return value if isinstance(value, (int, float)) else None


def printer(name, profile):
    fonts, features, media = profile["fonts"], profile["features"], profile["media"]
    pages = {}
    for code, page in sorted(profile["codePages"].items(), key=lambda item: int(item[0])):
        if page in PAGES:
            pages.setdefault(page, int(code))
    return {
        "name": name,
        "vendor": profile["vendor"],
        "columns_a": fonts["0"]["columns"],
        "columns_b": fonts.get("1", fonts["0"])["columns"],
        "dots": number(media["width"].get("pixels")),
        "dpi": number(media.get("dpi")),
        "code_pages": [[code, page] for page, code in pages.items()],
        "cutter": cutter(features),
        "raster": features["bitImageRaster"],
        "graphics": features["graphics"],
        "qr": features["qrCode"],
        "barcode_b": features["barcodeB"],
        "drawer": features["pulseStandard"],
    }


def main():
    profiles = json.load(sys.stdin)["profiles"]
    rows = [printer(name, profiles[name]) for name in PRINTERS]
    lines = ",\n".join(json.dumps(row) for row in rows)
    print(f"[\n{lines}\n]")


main()
