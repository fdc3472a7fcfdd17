import { describe, expect, it } from 'vitest'
import { defineTool, type PolicyEngine } from 'toolcrib'
import { serverReach } from '../../src/sources/mcp/servers/server-reach.js'
import { startHttpPeer } from '../sources/mcp/servers/http-peer.js'
import { callOf as called, openWith } from '../sources/mcp/servers/start-servers.js'
import { openCrib } from '../scenarios/open-crib.js'
import { behaviorOf, callOf, READS, toolOf, WRITES } from './rule-fixtures.js'

describe('a tool that states its hosts', () => {
  const api = toolOf('crm.list', { hosts: ['api.example.com', '[::1]'] })

  it.each<[string, string, string]>([
    ['deny', 'WebFetch(domain:api.example.com)', 'deny'],
    ['deny', 'WebFetch(domain:*.example.com)', 'deny'],
    ['deny', 'WebFetch(domain:*)', 'deny'],
    ['deny', 'WebFetch(API.EXAMPLE.COM.)', 'deny'],
    ['deny', 'http.fetch(domain:api.example.com)', 'deny'],
    ['deny', 'webfetch(domain:0:0:0:0:0:0:0:1)', 'deny'],
    ['deny', 'crm.list(domain:api.example.com)', 'deny'],
    ['deny', 'crm.*(domain:*.example.com)', 'deny'],
    ['ask', 'WebFetch(domain:api.example.com)', 'ask'],
    ['ask', 'crm.list(domain:api.example.com)', 'ask'],
    ['deny', 'WebFetch(domain:example.com)', 'allow'],
    ['deny', 'WebFetch(domain:other.example)', 'allow'],
    ['deny', 'crm.other(domain:api.example.com)', 'allow'],
  ])('meets %s %s: %s', (behavior, rule, expected) => {
    const rules = { [behavior]: [rule] }
    expect(behaviorOf(rules, callOf(api, { facts: READS }))).toBe(expected)
    // No allow lifts it, and an allow for the host does not cover the tool's other effects.
    const allow = ['WebFetch(domain:api.example.com)', 'crm.list(domain:api.example.com)']
    const outcome = expected === 'allow' ? 'ask' : expected
    expect(behaviorOf({ ...rules, allow }, callOf(api, { facts: WRITES }))).toBe(outcome)
    const all = behaviorOf({ ...rules, allow: ['*', 'crm.list'] }, callOf(api, { facts: WRITES }))
    expect(all).toBe(expected)
  })

  it('is judged by them and by the hosts in its input', () => {
    const touched = { paths: [], hosts: ['good.org'], urls: [], command: undefined, commandText: undefined }
    const call = callOf(api, { touched })
    expect(behaviorOf({ deny: ['WebFetch(domain:api.example.com)'], allow: ['*'] }, call)).toBe('deny')
    expect(behaviorOf({ deny: ['WebFetch(domain:good.org)'], allow: ['*'] }, call)).toBe('deny')
  })
})

describe('a function tool', () => {
  const listing = (hosts?: readonly string[]) =>
    defineTool({
      namespace: 'crm',
      name: 'list',
      description: 'Lists customers.',
      ...(hosts && { hosts }),
      execute: () => 'listed',
    })

  async function statusOf(hosts: readonly string[] | undefined, deny: string): Promise<string> {
    const crib = await openCrib({ tools: [listing(hosts)], permission: { deny: [deny], allow: ['*'] } })
    const result = await called(crib, 'crm.list')
    expect(crib.explain({ tool: 'crm.list', input: {} }).hosts).toEqual(hosts ? ['api.example.com'] : [])
    return result.status
  }

  it('is denied if a rule forbids a host that it states, also without a URL in its input', async () => {
    expect(await statusOf(['API.example.com'], 'WebFetch(domain:api.example.com)')).toBe('denied')
    expect(await statusOf(['api.example.com'], 'WebFetch(domain:other.example)')).toBe('succeeded')
    expect(await statusOf(undefined, 'WebFetch(domain:api.example.com)')).toBe('succeeded')
  })

  it('shows its hosts to policy engines and reviewers', async () => {
    const seen: unknown[] = []
    const engine: PolicyEngine = {
      name: 'looks',
      decide({ hosts }) {
        seen.push(hosts)
        return { behavior: 'ask' }
      },
    }
    const crib = await openCrib({
      tools: [listing(['api.example.com'])],
      permission: { engine },
      reviewers: ['ann'],
    })
    const surface = await crib.surface({ scope: 'session', session: 's1' })
    const call = crib.call(surface, { name: 'crm.list', input: {} })
    const approval = (await call.pending())!
    expect(approval.touches).toEqual({ reads: [], writes: [], hosts: ['api.example.com'] })
    expect(seen).toEqual([['api.example.com']])
    await crib.approvals.answer(approval.approval_id, { approved: false, by: 'ann' })
    expect((await call).status).not.toBe('succeeded')
  })

  it('gets another fingerprint if it states other hosts', async () => {
    const fingerprintOf = async (hosts?: readonly string[]) => {
      const crib = await openCrib({ tools: [listing(hosts)] })
      return crib.tools().find(({ toolId }) => toolId === 'crm.list')!.fingerprint
    }
    expect(await fingerprintOf(['a.example'])).not.toBe(await fingerprintOf(['b.example']))
  })

  it.each(['https://api.example.com', 'api.example.com:443', '*.example.com', 'a b', ''])(
    'cannot state "%s", which is no name of a host',
    (host) => {
      expect(() => listing([host])).toThrow(/"hosts".*api\.example\.com/)
    },
  )
})

describe('a tool of an MCP server', () => {
  it('over HTTP talks to the host of its URL', async () => {
    const peer = await startHttpPeer()
    const url = peer.url.replace('127.0.0.1', 'localhost')
    const run = async (deny: string): Promise<string> => {
      const permission = { deny: [deny], allow: ['mcp.web.*'] }
      const { crib } = await openWith({ web: { url } }, { decider: undefined, permission })
      return (await called(crib, 'mcp.web.work')).status
    }
    expect(await run('WebFetch(domain:other.example)')).toBe('succeeded')
    const before = peer.heard.filter((method) => method === 'tools/call').length
    expect(await run('WebFetch(domain:localhost)')).toBe('denied')
    expect(peer.heard.filter((method) => method === 'tools/call')).toHaveLength(before)
  })

  it.each([
    [{ url: 'https://MCP.example.com:8443/mcp' }, ['mcp.example.com']],
    [{ url: 'http://[0:0:0:0:0:0:0:1]:1/' }, ['[::1]']],
    [{ command: 'npx', args: ['mcp-remote', 'https://mcp.example.com/mcp'] }, ['mcp.example.com']],
    [
      { command: 'srv', args: ['--url=https://a.example/x', '--ws', 'wss://b.example'] },
      ['a.example', 'b.example'],
    ],
    [{ command: 'srv', env: { API_URL: 'https://git.example/api', NAME: 'https' } }, ['git.example']],
    [{ command: 'srv', args: ['a:b', 'file:///x', '/work'] }, []],
  ])('%j talks to %j', (settings, hosts) => {
    expect(serverReach(settings).hosts ?? []).toEqual(hosts)
  })
})
