import { expect, it } from 'vitest'
import { defaultsOf } from '../../src/edges/cli/serve/defaults-of.js'

it('what is said at the start is what holds', () => {
  const said = (mode: string | undefined, trusted: readonly boolean[]): string => {
    const servers = Object.fromEntries(trusted.map((each, at) => [`s${at}`, { command: 'x', trusted: each }]))
    const settings = { configPath: undefined, trust: { isTrusted: true }, config: { surface: { mode } } }
    return defaultsOf({ settings, servers: { servers } } as never, {})[0]!
  }
  expect(said(undefined, [])).toBe('What only reads passes. Everything else asks, unless a rule decides.')
  expect(said('bypass', [true])).toContain('Everything else passes too')
  expect(said('plan', [true])).toContain('Everything else is refused')
  expect(said(undefined, [true, false])).toContain('Your servers, but for s1, are believed')
  expect(said(undefined, [false])).toContain('No server is believed')
})
