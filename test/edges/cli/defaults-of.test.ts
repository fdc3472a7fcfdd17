import { expect, it } from 'vitest'
import { defaultsOf } from '../../../src/edges/cli/serve/defaults-of.js'
import { lastLists } from '../../../src/edges/cli/serve/last-lists.js'
import { noToolsFor, tellNoTools, whyNoTools } from '../../../src/edges/cli/serve/tell-no-tools.js'

it('what is said at the start is what holds', () => {
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

it('a gateway without tools says why, and which command comes next', () => {
  const why = (configPath: string | undefined, config: object = {}, isTrusted = true): string =>
    whyNoTools({ configPath, config, trust: { isTrusted }, hooks: [] } as never)
  const mcpServers = { a: { command: 'x' } }
  expect(why(undefined)).toContain('there is no config file. Next: toolcrib init --user')
  expect(why('/p/toolcrib.yaml')).toContain('names no servers and no tool files. Next: toolcrib init')
  expect(why('/p/toolcrib.yaml', { mcpServers }, false)).toContain('toolcrib trust --config /p/toolcrib.yaml')
  expect(why('/p/a b/toolcrib.yaml', { mcpServers })).toContain(
    "toolcrib servers --config '/p/a b/toolcrib.yaml'",
  )
})

it('a client is told why there are no tools once none can come, with the whole path of the config', () => {
  const settings = {
    configPath: `${process.cwd()}/toolcrib.yaml`,
    config: { mcpServers: { a: { command: 'x', env: { KEY: 'hidden-value' } } } },
    trust: { isTrusted: false },
  }
  const told = (tools: object[], pending: string[]): string | undefined =>
    noToolsFor(settings as never, { tools: () => tools, pendingProviders: () => pending } as never)
  const own = { source: 'toolcrib' }
  expect(told([own], [])).toContain(`${process.cwd()}/toolcrib.yaml is not trusted`)
  expect(told([own], [])).not.toContain('hidden-value')
  expect(told([own], ['a'])).toBeUndefined()
  expect(told([own, { source: 'mcp:a' }], [])).toBeUndefined()
})

it('a gateway with tools says nothing, and one whose servers are slow waits for them', async () => {
  const said: string[] = []
  const terminal = { explain: (text: string) => said.push(text), sayStyle: { bad: String } }
  const settings = { configPath: undefined, config: {}, trust: { isTrusted: true } }
  const tools: object[] = [{ source: 'toolcrib' }]
  const settled = async (): Promise<void> => {}
  // What a server listed is in the catalog a moment after it has settled.
  const caughtUp = async (): Promise<void> => void tools.push({ source: 'mcp:a' })
  const gateway = (sources: object[]): never =>
    ({ settings, crib: { tools: () => tools, caughtUp }, sources: { sources, settled } }) as never
  await tellNoTools(gateway([]), terminal as never)
  expect(said).toEqual([expect.stringContaining('This gateway has no tools')])
  await tellNoTools(gateway([{ name: 'mcp:a' }]), terminal as never)
  expect(said).toHaveLength(1)
})

it('first lists that are on their way when the client goes are still taken in, and nothing else is waited for', async () => {
  const happened: string[] = []
  const server = (name: string, state: string, { knows = false, comes = true } = {}): object => ({
    health: () => ({ state }),
    knowsTools: () => knows,
    async settled() {
      happened.push(`waits for ${name}`)
      return comes ? undefined : new Promise(() => {})
    },
  })
  const crib = { caughtUp: async () => void happened.push('caught up') }
  const gateway = (...servers: object[]): never =>
    ({ crib, sources: { of: () => ({ mcp: { servers } }) } }) as never
  await lastLists(gateway(server('slow', 'connecting'), server('known', 'connecting', { knows: true })))
  await lastLists(gateway(server('ready', 'ready'), server('failed', 'failed')))
  await lastLists({ crib, sources: { of: () => undefined } } as never)
  expect(happened).toEqual(['waits for slow', 'caught up'])
  await lastLists(gateway(server('silent', 'connecting', { comes: false })), 1)
  expect(happened.at(-1)).toBe('waits for silent')
})
