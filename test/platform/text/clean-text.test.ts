import { expect, test } from 'vitest'
import { cleanLine, cleanText, countHidden } from '../../../src/platform/text/clean-text.js'
import { cleanWords } from '../../../src/platform/text/clean-words.js'
import { printable, printableStyled } from '../../../src/platform/text/printable.js'
import { safeIcons, webLink } from '../../../src/platform/text/web-link.js'

test.each([
  ['a control character', 'a\u0000b\u0008\u007f', 'ab'],
  ['a colour', 'a\u001b[1;31mb\u001b[0m', 'ab'],
  ['a cleared screen', '\u001b[2J\u001b[Ha', 'a'],
  ['a title of the window', 'a\u001b]0;evil\u0007b', 'ab'],
  ['a link of the terminal', '\u001b]8;;http://x\u001b\\text\u001b]8;;\u001b\\', 'text'],
  ['a sequence without an end', 'a\u001b]52;c;ZXZpbA==', 'a'],
  ['the eight-bit form', 'a\u009b31mb\u009d0;x\u009c', 'ab'],
  ['a turned direction', 'a\u202eb\u2066c\u2069\u200e\u200f\u061c', 'abc'],
  ['what has no width', 'a\u200bb\u2060\ufeffc\u200cd\u200de', 'abcde'],
  [
    'tags',
    `a${[...'evil'].map((sign) => String.fromCodePoint(0xe0000 + sign.charCodeAt(0))).join('')}b`,
    'ab',
  ],
  ['selectors that carry bytes', 'a\u{E0100}\u{E0101}\ufe01\ufe02b', 'a\ufe01b'],
  ['annotations, fillers and soft hyphens', 'a\ufff9b\ufffac\ufffb\u3164\u115f\uffa0\u00ad', 'abc'],
  ['separators of lines', 'a\u2028b\u2029c', 'abc'],
  ['unassigned and private code points', 'a\ue000b\u{F0000}\u{10FFFD}', 'ab'],
  ['half a pair', 'a\ud800b', 'ab'],
  ['a carriage return alone', 'good\revil', 'goodevil'],
  ['signs of music and shorthand', 'a\u{1D173}\u{1BCA0}b', 'ab'],
])('%s is taken out', (_, text, clean) => {
  expect(cleanText(text)).toBe(clean)
  expect(countHidden(text)).toBeGreaterThan(0)
  expect(countHidden(clean)).toBe(0)
})

test.each([
  'plain words\n\twith lines',
  'lines\r\nof Windows',
  'für “quotes” — dashes… 日本 العربية עברית',
  '👩‍💻 👩🏽‍💻 ❤️‍🔥 ☺️ 🏳️‍🌈',
  'می‌خواهم',
  'क्‍ष',
  '᠊ᠠ᠋',
  '',
])('%j is left as it is', (text) => {
  expect(cleanText(text)).toBe(text)
  expect(countHidden(text)).toBe(0)
})

test('a line is one line of limited length', () => {
  expect(cleanLine(' a\n\tb\u202e  c ')).toBe('a b c')
  expect(cleanLine('x'.repeat(2000))).toHaveLength(1001)
  expect(cleanText('x'.repeat(20), 5)).toBe('xxxxx…')
})

test('texts are cleaned, names and values are not, and a clean schema is returned as the same object', () => {
  const clean = { description: 'a', properties: { title: { type: 'string', enum: ['a\u200b'] } } }
  expect(cleanWords(clean)).toBe(clean)
  const dirty = {
    description: 'a\u200b',
    default: { description: 'b\u200b' },
    properties: {
      description: { title: 'c\u200b', const: 'd\u200b' },
      default: { description: 'e\u200b' },
      'f\u200b': {},
    },
    anyOf: [{ enumNames: ['g\u200b'] }],
  }
  expect(cleanWords(dirty)).toEqual({
    description: 'a',
    default: { description: 'b\u200b' },
    properties: {
      description: { title: 'c', const: 'd\u200b' },
      default: { description: 'e' },
      'f\u200b': {},
    },
    anyOf: [{ enumNames: ['g'] }],
  })
})

test.each([
  ['https://example.com/x', 'example.com'],
  ['HTTP://example.com:8080', 'example.com:8080'],
  ['https://google.com@evil.example', 'evil.example'],
  ['javascript:alert(1)', undefined],
  ['file:///etc/passwd', undefined],
  ['data:text/html,x', undefined],
  ['  https://example.com', undefined],
  ['https://', undefined],
  [7, undefined],
])('%j leads to %s', (text, host) => {
  expect(webLink(text)?.host).toBe(host)
})

test('icons are pictures only', () => {
  const fine = [{ src: 'https://example.com/i.svg' }, { src: 'data:image/png;base64,AAAA' }]
  expect(safeIcons(fine)).toBe(fine)
  expect(safeIcons([...fine, { src: 'data:image/svg+xml,<svg/>' }, { src: 'javascript:x' }, null])).toEqual(
    fine,
  )
})

test('styled lines keep their colours and no other control sequence', () => {
  expect(printableStyled('\u001b[1mbold\u001b[22m\u001b[2J')).toBe('\u001b[1mbold\u001b[22m\\u001b[2J')
  expect(printable('\u001b[1m')).toBe('\\u001b[1m')
})
