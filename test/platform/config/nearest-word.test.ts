import { expect, test } from 'vitest'
import { nearestWord } from '../../../src/platform/config/nearest-word.js'

const keys = ['tools', 'store', 'tenant', 'actor', 'timeoutMs', 'maxInlineChars', 'surface']

test.each([
  ['stroe', 'store'], // two neighbours swapped
  ['toolz', 'tools'],
  ['tool', 'tools'],
  ['timeout', 'timeoutMs'],
  ['timeout_ms', 'timeoutMs'],
  ['TIMEOUTMS', 'timeoutMs'],
  ['max_inline_chars', 'maxInlineChars'],
  ['surfcae', 'surface'],
  ['store', 'store'],
])('%s means %s', (word, meant) => expect(nearestWord(word, keys)).toBe(meant))

test.each(['zzz', '', 'x', 'permissions', 'mcpServers', 's'])('"%s" means none of them', (word) =>
  expect(nearestWord(word, keys)).toBeUndefined(),
)

test('the nearest word wins, the first among equals, and an exact word over all', () => {
  expect(nearestWord('file.raed', ['file.write', 'file.real', 'file.read'])).toBe('file.read')
  expect(nearestWord('cat', ['bat', 'hat'])).toBe('bat')
  expect(nearestWord('Read', ['read', 'Read'])).toBe('Read')
  expect(nearestWord('anything', [])).toBeUndefined()
})

test('one letter is not a typo of another', () => {
  expect(nearestWord('a', ['b'])).toBeUndefined()
  expect(nearestWord('A', ['a'])).toBe('a')
})
