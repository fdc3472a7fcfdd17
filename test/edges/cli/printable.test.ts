import { describe, expect, it } from 'vitest'
import { printable, printableJson } from '../../../src/platform/text/printable.js'

describe('printable', () => {
  it('escapes characters that control a terminal or are invisible', () => {
    for (const char of [
      '\u001b',
      '\u200b',
      '\u200d',
      '\u200f',
      '\u2060',
      '\u2064',
      '\ufeff',
      '\u00ad',
      '\u2028',
    ])
      expect(printable(`a${char}b`)).toBe(`a\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}b`)
    expect(printable('a\u{E0041}b')).toBe('a\\udb40\\udc41b')
    expect(printable('a\uFE01\uFE02\uFE03b')).toBe('a\uFE01\\ufe02\\ufe03b')
    expect(printable('a\u{E0100}\u{E0101}b')).toBe('a\u{E0100}\\udb40\\udd01b')
  })

  it('leaves letters of all scripts, emojis, lines and tabs', () => {
    for (const text of ['für 日本 العربية\n\tx', '☺️ 👩‍💻 👩🏽‍💻 ❤️‍🔥']) expect(printable(text)).toBe(text)
  })

  it('escaped JSON has the same value', () => {
    const value = { text: 'a\u{E0041}\u200B\uFE01\uFE02 ☺️' }
    expect(JSON.parse(printableJson(value))).toEqual(value)
  })
})
