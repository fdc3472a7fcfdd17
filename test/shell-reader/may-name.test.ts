import fc from 'fast-check'
import { expect, it } from 'vitest'
import { mayName } from '../../src/judgement/shell-reader/may-name.js'

it.each([
  ['/w/.env', '/w/.env', true],
  ['/w/.env', '/w/.envrc', false],
  ['/w/.e*', '/w/.env', true],
  ['/w/.e*', '/w/.e/nv', false],
  ['/w/*', '/w/a', true],
  ['/w/*', '/w/.env', false],
  ['/w/?env', '/w/.env', false],
  ['/w/a?c', '/w/abc', true],
  ['/w/a?c', '/w/ac', false],
  ['/w/*/b', '/w/a/b', true],
  ['/w/*/b', '/w/a/x/b', false],
  ['/w/.en[uv]', '/w/.env', true],
  ['/w/.en[!v]', '/w/.env', false],
  ['/w/.en[a-z]', '/w/.env', true],
  ['/w/.en[[:alpha:]]', '/w/.env', true],
  ['/w/app/[id]/x', '/w/app/[id]/x', true],
  ['/w/app/[id]/x', '/w/app/i/x', true],
  ['/w/a\\*b', '/w/a*b', true],
  ['/w/a\\*b', '/w/axb', false],
  ['/**/.env', '/w/deep/.env', true],
  ['/**/.env', '/.env', false],
  ['/**.env', '/w/.env', true],
  ['/w/src/**', '/w/src/a/b', true],
  ['/w/src/**', '/w/other', false],
  ['/w/[', '/w/[', true],
  ['/w/[abc', '/w/[abc', true],
] as const)('%s and %s: %s', (pattern, path, expected) => {
  expect(mayName(pattern, path)).toBe(expected)
})

it('a pattern made from a path by wildcards still names it', () => {
  const path = fc.stringMatching(/^\/[a-z]{1,4}(?:\/[a-z]{1,4}){0,3}$/)
  fc.assert(
    fc.property(path, fc.nat(), fc.constantFrom('*', '?', '[a-z]', '**'), (name, at, wildcard) => {
      const place = at % name.length
      fc.pre(name[place] !== '/')
      expect(mayName(name.slice(0, place) + wildcard + name.slice(place + 1), name)).toBe(true)
    }),
  )
})

it('a pattern that is meant to take long does not', () => {
  expect(mayName(`/${'*a'.repeat(400)}b`, `/${'a'.repeat(2000)}`)).toBe(false)
  expect(mayName(`/${'*a'.repeat(2000)}b`, '/a')).toBe(true)
})
