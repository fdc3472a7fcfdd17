import { expect, it } from 'vitest'
import { setupSentences } from '../../../src/edges/cli/servers/server-row.js'

it('names three gaps of the set-up, and counts the others', () => {
  const gaps = ['a', 'b', 'c', 'd', 'e'].map((message) => ({ tools: 1, message }))
  const three = ['a', 'b', 'c'].map((message) => `1 tool cannot be called yet: ${message}.`)
  expect(setupSentences(gaps.slice(0, 3))).toEqual(three)
  expect(setupSentences(gaps.slice(0, 4))).toEqual([...three, '1 more of that kind.'])
  expect(setupSentences(gaps)).toEqual([...three, '2 more of that kind.'])
})
