#!/usr/bin/env bash
# Renders the drawings in this folder into the bitmaps that desktops and Tauri ask for.
# Needs rsvg-convert, optipng, icotool and png2icns (see `make icons`).
set -euo pipefail
cd "$(dirname "$0")"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Tauri takes RGBA only, so the colour type stays.
# png DRAWING PIXELS FILE [STYLESHEET]
png() {
  rsvg-convert --width "$2" --height "$2" ${4:+--stylesheet "$4"} "$1" --output "$3"
  optipng -quiet -nx -strip all "$3"
}

# Below 64 pixels the plain drawing on the pixel grid reads better than the shaded one.
png tillroll-small.svg 16 16x16.png
png tillroll-small.svg 32 32x32.png
png tillroll-small.svg 48 48x48.png
png tillroll.svg 64 64x64.png
png tillroll.svg 128 128x128.png
png tillroll.svg 256 128x128@2x.png
png tillroll.svg 512 icon.png

echo 'svg { color: #22252a }' >"$scratch/on-light.css"
echo 'svg { color: #eceae4 }' >"$scratch/on-dark.css"
png tillroll-symbolic.svg 32 tray-on-light.png "$scratch/on-light.css"
png tillroll-symbolic.svg 32 tray-on-dark.png "$scratch/on-dark.css"

icotool --create --output=icon.ico 16x16.png 32x32.png 48x48.png --raw=128x128@2x.png
png2icns icon.icns 16x16.png 32x32.png 48x48.png 128x128.png 128x128@2x.png icon.png >/dev/null
