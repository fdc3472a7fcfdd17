import { describe, expect, it } from 'vitest'
import { isAllowedByRobots, parseRobots } from '../../../../src/sources/builtins/fetch/robots.js'

const allows = (robots: string, path: string): boolean =>
  isAllowedByRobots(parseRobots(robots, 'Toolcrib'), new URL(path, 'https://site.example'))

describe('robots.txt', () => {
  it.each([
    ['User-agent: *\nDisallow: /', '/a', false],
    ['User-agent: *\nDisallow:', '/a', true],
    ['User-agent: other\nDisallow: /', '/a', true],
    ['User-agent: *\nDisallow: /\n\nUser-agent: toolcrib/1.0\nDisallow: /private', '/a', true],
    ['User-agent: *\nDisallow: /\n\nUser-agent: TOOLCRIB\nDisallow: /private', '/private/x', false],
    ['User-agent: a\nUser-agent: Toolcrib\nDisallow: /x # reason', '/x', false],
    ['User-agent: *\nDisallow: /docs\nAllow: /docs/public', '/docs/public/a', true],
    ['User-agent: *\nAllow: /page\nDisallow: /page', '/page', true],
    ['User-agent: *\nDisallow: /*.pdf$', '/a/b.pdf', false],
    ['User-agent: *\nDisallow: /*.pdf$', '/a/b.pdf?x=1', true],
    ['User-agent: *\nDisallow: /a*b*c', '/a-b-c-d', false],
    ['User-agent: *\nDisallow: /a%7Eb', '/a~b', false],
    ['User-agent: *\nDisallow: /é', '/%C3%A9', false],
    ['user-agent:*\r\ndisallow:/x?q=', '/x?q=1', false],
    ['User-agent: *\nDisallow: /', '/robots.txt', true],
    ['<html>not a robots.txt</html>', '/a', true],
  ])('%j says about %s: %s', (robots, path, isAllowed) => {
    expect(allows(robots, path)).toBe(isAllowed)
  })

  it('takes no time for a pattern of many stars', () => {
    expect(allows(`User-agent: *\nDisallow: /${'*a'.repeat(20_000)}b$`, `/${'a'.repeat(30_000)}`)).toBe(true)
  })
})
