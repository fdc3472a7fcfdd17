import { expect, test } from 'vitest'
import { createStderrRing } from '../../../../src/sources/mcp/servers/stderr-ring.js'

const TOKEN = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`

test.each([
  ['in a line', [`using ${TOKEN} now\nnext\n`], ['using [redacted] now', 'next']],
  ['in pieces', ['using ', TOKEN.slice(0, 9), TOKEN.slice(9), '\n'], ['using [redacted]']],
  ['in a line that has not ended', [`first\nusing ${TOKEN}`], ['first', 'using [redacted]']],
  [
    'that comes again',
    ['password: Xk29-plum-77\nconnecting\n', 'login with Xk29-plum-77 failed\n'],
    ['password: [redacted]', 'connecting', 'login with [redacted] failed'],
  ],
])('what a server says of a secret is hidden before it is kept: %s', (_, pieces, lines) => {
  const ring = createStderrRing()
  for (const piece of pieces) ring.write(piece)
  expect(ring.lines()).toEqual(lines)
})
