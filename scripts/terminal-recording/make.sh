#!/usr/bin/env bash
# Records play.sh with asciinema (Debian) and draws it with svg-term (npm): scripts/terminal-recording/make.sh
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
asciinema rec --overwrite --cols 80 --rows 24 --command "bash $here/play.sh" "$work/demo.cast" > /dev/null
npm install --prefix "$work" --silent --no-fund --no-audit svg-term@1
cat > "$work/draw.mjs" <<'DRAW'
import { readFileSync, writeFileSync } from 'node:fs'
import svgTerm from 'svg-term'
const [, , cast, svg] = process.argv
writeFileSync(svg, svgTerm.render(readFileSync(cast, 'utf8'), { height: 24, width: 80, window: true }))
DRAW
(cd "$work" && node draw.mjs demo.cast "$here/../../docs/images/demo.svg")
