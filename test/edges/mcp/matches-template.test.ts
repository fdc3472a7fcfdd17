import { expect, test } from 'vitest'
import { matchesTemplate } from '../../../src/edges/mcp/resources/matches-template.js'

test.for<[template: string, uri: string, isMatch: boolean]>([
  ['demo://one', 'demo://one', true],
  ['demo://one', 'demo://one/two', false],
  ['demo://{id}', 'demo://a%20b', true],
  ['demo://{id}', 'demo://', true],
  ['demo://{id}', 'demo://a/b', false],
  ['demo://{id}/x', 'demo://a/x', true],
  ['demo://{id}/x', 'demo://a/b/x', false],
  ['demo://{+path}', 'demo://a/b?c#d', true],
  ['demo://{+path}/x', 'demo://a/x/b/x', true],
  ['demo://{a}-{b}.txt', 'demo://1-2-3.txt', true],
  ['demo://{a}-{b}.txt', 'demo://1-2/3.txt', false],
  ['demo://{a}{b}!', 'demo://xyz!', true],
  ['demo://{a}{/b}', 'demo://x/y/z', true],
  ['demo://{a}{?q,r}', 'demo://x?q=1&r=2', true],
  ['demo://{a}{?q}', 'demo://x', true],
  ['demo://{a}{?q}', 'demo://x#y', false],
  ['demo://{a}{#f}', 'demo://x#y/z', true],
  ['demo://{a}{.ext}', 'demo://x.tar.gz', true],
  ['demo://{a}{;v}', 'demo://x;v=1', true],
  ['demo://x?a=1{&b}', 'demo://x?a=1&b=2', true],
  ['demo://(a+)+{b}', 'demo://(a+)+c', true],
])('%s and %s: %s', ([template, uri, isMatch]) => {
  expect(matchesTemplate(uri, template)).toBe(isMatch)
})

// As regular expressions, these take exponential time.
test.for<[template: string, uri: string]>([
  ['demo://{a}-{b}-{c}-{d}-{e}-{f}-{g}-{h}.txt', `demo://${'-'.repeat(4000)}/`],
  ['demo://{+a}{+b}{+c}{+d}{+e}{+f}{+g}{+h}!', `demo://${'a'.repeat(4000)}`],
  [`demo://${'{a}x'.repeat(30)}`, `demo://${'x'.repeat(4000)}/`],
])('%s is matched against a long URI without backtracking', ([template, uri]) => {
  expect(matchesTemplate(uri, template)).toBe(false)
})

test('a template or URI that is too long, or not a template, matches nothing', () => {
  expect(matchesTemplate(`demo://${'a'.repeat(5000)}`, 'demo://{a}')).toBe(false)
  expect(matchesTemplate('demo://a', `demo://{${'a'.repeat(2000)}}`)).toBe(false)
  expect(matchesTemplate('demo://a', `demo://a${'{+a}'.repeat(33)}`)).toBe(false)
  expect(matchesTemplate('demo://a', ['demo://a'])).toBe(false)
})
