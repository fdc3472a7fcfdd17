import { expect, it } from 'vitest'
import { defaultsOf } from '../../../src/edges/cli/serve/defaults-of.js'
import { reportNoTools } from '../../../src/edges/cli/serve/report-no-tools.js'

it('the start of a gateway prints the defaults that apply', () => {
  const said = (mode: string | undefined, trusted: readonly boolean[]): string => {
    const servers = Object.fromEntries(trusted.map((each, at) => [`s${at}`, { command: 'x', trusted: each }]))
    const settings = { configPath: undefined, trust: { isTrusted: true }, config: { surface: { mode } } }
    return defaultsOf({ settings, sources: { of: () => ({ servers }) } } as never, {})[0]!
  }
  expect(said(undefined, [])).toBe('Read-only tools run. Other tools need approval, unless a rule decides.')
  expect(said('bypass', [true])).toContain('Other tools run too')
  expect(said('plan', [true])).toContain('Other tools are denied')
  expect(said(undefined, [true, false])).toContain(
    'Tools that your servers, except s1, declare read-only run',
  )
  expect(said(undefined, [false])).toContain('No server is trusted')
})

it('a gateway with tools prints nothing, and one with slow servers waits for them', async () => {
  const said: string[] = []
  const terminal = { explain: (text: string) => said.push(text), sayStyle: { bad: String } }
  const settings = { configPath: undefined, config: {}, trust: { isTrusted: true } }
  const tools: object[] = [{ source: 'toolcrib' }]
  const settled = async (): Promise<void> => {}
  // The list of a server is in the catalog a moment after the server has settled.
  const caughtUp = async (): Promise<void> => void tools.push({ source: 'mcp:a' })
  const gateway = (sources: object[]): never =>
    ({ settings, crib: { tools: () => tools, caughtUp }, sources: { sources, settled } }) as never
  await reportNoTools(gateway([]), terminal as never)
  expect(said).toEqual([expect.stringContaining('This gateway has no tools')])
  await reportNoTools(gateway([{ name: 'mcp:a' }]), terminal as never)
  expect(said).toHaveLength(1)
})
