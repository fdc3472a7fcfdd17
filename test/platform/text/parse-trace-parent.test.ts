import { expect, it } from 'vitest'
import { parseTraceParent } from '../../../src/platform/text/parse-trace-parent.js'

const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
const span = '00f067aa0ba902b7'

it.each([`00-${trace}-${span}-01`, `00-${trace}-${span}-00`, `cc-${trace}-${span}-01-what.the.future.adds`])(
  'reads %s',
  (text) => {
    expect(parseTraceParent(text)).toEqual({ trace_id: trace, span_id: span })
  },
)

it.each([
  '',
  `ff-${trace}-${span}-01`,
  `00-${trace}-${span}-01-more`,
  `00-${trace.toUpperCase()}-${span}-01`,
  `00-${'0'.repeat(32)}-${span}-01`,
  `00-${trace}-${'0'.repeat(16)}-01`,
  `00-${trace}-${span}`,
  `00-${trace}-${span}-01, 00-${trace}-${span}-01`,
  ` 00-${trace}-${span}-01`,
  7,
  { trace_id: trace },
  null,
])('ignores %j', (given) => {
  expect(parseTraceParent(given)).toBeUndefined()
})
