import { expect, it } from 'vitest'
import type { CribSettings } from '../../src/host/crib-settings.js'
import { admissionOf, clientTokenOf, TOKEN_PLACEHOLDER } from '../../src/host/serving/admission.js'
import { gatewaySettingsOf } from '../../src/host/serving/gateway-settings.js'
import { lastLists } from '../../src/host/serving/last-lists.js'
import { firstLists } from '../../src/sources/mcp/mcp-kind.js'
import { serveAddress } from '../../src/host/serving/serve-address.js'
import { clientCribOptions, commandCribOptions } from '../../src/host/serving/serving-defaults.js'
import { noToolsFor, whyNoTools } from '../../src/host/serving/why-no-tools.js'
import { personName } from '../../src/host/actor-of.js'

const sha256 = 'a'.repeat(64)

function settingsOf(config: CribSettings['config'], isTrusted = true): CribSettings {
  const trust = isTrusted ? { isTrusted } : { isTrusted, why: 'unknown' }
  return { configPath: '/p/toolcrib.yaml', config, trust, hooks: [] } as CribSettings
}

const crib = { tools: () => [], pendingProviders: () => [], agents: () => [] }

it('the owner of a gateway may change rules with an answer in the client, and other callers may not', () => {
  const { personBehind } = gatewaySettingsOf(settingsOf({ actor: 'ada' }), { crib, store: undefined })
  expect(personBehind?.({ actor: 'ada' })).toEqual({ name: personName(), mayChangeRules: true })
  expect(personBehind?.({ actor: 'ben' })).toEqual({ name: 'person:ben', mayChangeRules: false })
  const reviewed = settingsOf({ approvals: { reviewers: ['person:eve'] } })
  expect(gatewaySettingsOf(reviewed, { crib, store: undefined }).personBehind).toBeUndefined()
})

it('named reviewers replace the user of the gateway, except where the user is asked', () => {
  const settings = settingsOf({ approvals: { reviewers: ['person:eve'] } })
  expect(clientCribOptions(settings, { isAsked: false }).more.reviewers).toEqual(['person:eve'])
  expect(clientCribOptions(settings, { isAsked: true }).more.reviewers).toEqual(['person:eve', personName()])
  expect(clientCribOptions(settingsOf({}), { isAsked: false }).more.reviewers).toEqual([
    personName(),
    'role:reviewer',
  ])
  const opened = { sources: [{ name: 'mcp:a', list: async () => [], close: async () => {} }], secrets: [] }
  const { sources, more } = commandCribOptions(settings, opened as never)
  expect(more).toMatchObject({ reviewers: ['person:eve', personName()], approvals: { claim: false } })
  expect(Object.keys(sources!.sources[0]!)).toEqual(['name', 'list'])
})

it('a config decides who is admitted and where the gateway listens only once it is trusted', () => {
  const serve = { host: '0.0.0.0', port: 5000, auth: { tokens: [{ name: 'ci', sha256 }] } }
  const token = 'given-on-the-command-line'
  const trusted = settingsOf({ actor: 'ada', serve })
  expect(admissionOf(trusted, {})).toMatchObject({ kind: 'tokens', tokens: [{ actor: 'ci', sha256 }] })
  expect(clientTokenOf(trusted, undefined)).toBe(TOKEN_PLACEHOLDER)
  expect(serveAddress(trusted)).toEqual({ host: '0.0.0.0', port: 5000, url: 'http://127.0.0.1:5000/mcp' })
  const untrusted = settingsOf({ actor: 'ada', serve }, false)
  expect(admissionOf(untrusted, { token })).toMatchObject({
    kind: 'tokens',
    tokens: [{ actor: 'ada', token }],
  })
  expect(serveAddress(untrusted)).toMatchObject({ host: '127.0.0.1', port: 5000 })
})

it('a token of the config must name a surface that the gateway has', () => {
  const auth = { tokens: [{ name: 'ci', sha256, surface: 'smal' }] }
  const admission = admissionOf(settingsOf({ serve: { auth, surfaces: { small: {} } } }), {})
  expect(admission).toEqual({ kind: 'problem', message: expect.stringContaining('names the surface "smal"') })
})

it('a gateway without tools gives the reason and the next command', () => {
  const why = (configPath: string | undefined, config: object = {}, isTrusted = true): string =>
    whyNoTools({ configPath, config, trust: { isTrusted }, hooks: [] } as never)
  const mcpServers = { a: { command: 'x' } }
  expect(why(undefined)).toContain('there is no config file. Next: toolcrib init --user')
  expect(why('/p/toolcrib.yaml')).toContain(
    'names no servers, no APIs, no tool folders, no built-ins and no modules under "tools". Next: toolcrib init',
  )
  expect(why('/p/toolcrib.yaml', { mcpServers }, false)).toContain('toolcrib trust --config /p/toolcrib.yaml')
  expect(why('/p/a b/toolcrib.yaml', { mcpServers })).toContain(
    "toolcrib servers --config '/p/a b/toolcrib.yaml'",
  )
})

it('clients get the reason, with the whole path of the config, only when no tool can come any more', () => {
  const settings = {
    configPath: `${process.cwd()}/toolcrib.yaml`,
    config: { mcpServers: { a: { command: 'x', env: { KEY: 'hidden-value' } } } },
    trust: { isTrusted: false },
  }
  const reasonFor = (tools: object[], pending: string[]): string | undefined =>
    noToolsFor(settings as never, { tools: () => tools, pendingProviders: () => pending } as never)
  const own = { source: 'toolcrib' }
  expect(reasonFor([own], [])).toContain(`${process.cwd()}/toolcrib.yaml is not trusted`)
  expect(reasonFor([own], [])).not.toContain('hidden-value')
  expect(reasonFor([own], ['a'])).toBeUndefined()
  expect(reasonFor([own, { source: 'mcp:a' }], [])).toBeUndefined()
})

it('after the client has gone, the gateway waits only for first lists that are on their way', async () => {
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
    ({ crib, sources: { firstLists: () => firstLists(servers as never) } }) as never
  await lastLists(gateway(server('slow', 'connecting'), server('known', 'connecting', { knows: true })))
  await lastLists(gateway(server('ready', 'ready'), server('failed', 'failed')))
  await lastLists(gateway())
  expect(happened).toEqual(['waits for slow', 'caught up'])
  await lastLists(gateway(server('silent', 'connecting', { comes: false })), 1)
  expect(happened.at(-1)).toBe('waits for silent')
})
