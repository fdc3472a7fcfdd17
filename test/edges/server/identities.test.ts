import { describe, expect, it } from 'vitest'
import { loadOwnerToken, loadServeToken } from '../../../src/credentials/gateway-token.js'
import { personName } from '../../../src/host/actor-of.js'
import { roles } from '../../../src/platform/config/roles.js'
import type { CribSettings } from '../../../src/host/crib-settings.js'
import { defineTool } from '../../../src/index.js'
import { sqliteStore } from '../../../src/storage/sqlite/sqlite-store.js'
import { openTemporaryFolder } from '../../temporary-folder.js'
import { collect } from '../../scenarios/open-crib.js'
import { listTools, openServer, sha256, type OpenedServer } from './support/open-server.js'

const CI = 'token-of-the-build-server'
const EVE = 'token-of-eve-who-reviews'
const AUDIT = 'token-of-the-auditor'
const tokens: NonNullable<NonNullable<CribSettings['config']['serve']>['auth']>['tokens'] = [
  { name: 'ci', sha256: sha256(CI) },
  { name: 'eve', sha256: sha256(EVE), roles: ['reviewer'] },
  { name: 'audit', sha256: sha256(AUDIT), roles: ['auditor'], tenant: 'lab' },
]

async function make(
  { ask }: OpenedServer,
  body: object,
  token: string = loadOwnerToken(),
): Promise<{ token: string; token_id: string }> {
  const made = await ask('POST', '/api/v1/tokens', { token, body })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return made.body
}

describe('callers', () => {
  it('have the roles of their token, and MCP needs the role caller', async () => {
    const server = await openServer({ serve: { auth: { tokens } } })
    const roleOf = async (token: string) =>
      ((await server.ask('GET', '/api/v1/session', { token })).body as { roles: string[] }).roles
    expect(await roleOf(CI)).toEqual(['caller'])
    expect(await roleOf(EVE)).toEqual(['reviewer'])
    expect((await listTools(server, { token: CI })).status).toBe(200)
    for (const token of [EVE, AUDIT]) {
      const refused = await listTools(server, { token })
      expect(refused.status).toBe(403)
      expect(refused.headers['www-authenticate']).toContain('insufficient_scope')
    }
    expect((await listTools(server, {})).status).toBe(401)
    expect((await listTools(server, { token: 'a-token-of-nobody' })).status).toBe(401)
  })

  it('have the role caller alone with the token for clients, and all roles with the token of the owner', async () => {
    const { ask } = await openServer()
    const agent = await ask('GET', '/api/v1/session', { token: loadServeToken() })
    expect(agent.body).toMatchObject({ actor: 'olga', roles: ['caller'] })
    expect(agent.body).not.toHaveProperty('person')
    const owner = await ask('GET', '/api/v1/session', { token: loadOwnerToken() })
    expect(owner.body).toMatchObject({ actor: 'olga', person: personName(), roles, tenant: 'default' })
    expect(loadOwnerToken()).not.toBe(loadServeToken())
  })

  it('without credentials get 401 from the API, with the ways to log in, also where MCP needs no token', async () => {
    const server = await openServer({ serve: { auth: { anonymous: true } } })
    expect((await listTools(server, {})).status).toBe(200)
    const refused = await server.ask('GET', '/api/v1/session')
    expect(refused).toMatchObject({
      status: 401,
      body: { error_class: 'credential_missing', login: { token: true } },
    })
    expect((await server.ask('GET', '/api/v1/session', { token: loadOwnerToken() })).status).toBe(200)
  })

  it('of an untrusted config are not admitted', async () => {
    const { ask } = await openServer({ serve: { auth: { tokens } }, isTrusted: false })
    expect((await ask('GET', '/api/v1/session', { token: EVE })).status).toBe(401)
    expect((await ask('GET', '/api/v1/session', { token: loadOwnerToken() })).status).toBe(200)
  })

  it('may not act as a person or a role', async () => {
    for (const actor of ['person:eve', 'role:reviewer', 'oidc:login.example.com:eve'])
      await expect(
        openServer({ serve: { auth: { tokens: [{ name: 'ci', sha256: sha256(CI), actor }] } } }),
      ).rejects.toThrow('are not for tokens')
  })
})

describe('named tokens', () => {
  it('are made, listed, rotated and revoked, and every change is recorded without the token', async () => {
    const server = await openServer()
    const { ask, crib } = server
    const made = await make(server, { name: 'ci', roles: ['caller'], rate_limit_per_minute: 100 })
    expect(made).toMatchObject({ name: 'ci', actor: 'ci', created_by: personName(), from: 'store' })
    expect((await listTools(server, { token: made.token })).status).toBe(200)

    const owner = { token: loadOwnerToken() }
    const rotated = await ask('POST', `/api/v1/tokens/${made.token_id}/rotate`, owner)
    const { token: next } = rotated.body as { token: string }
    expect((await listTools(server, { token: made.token })).status).toBe(401)
    expect((await listTools(server, { token: next })).status).toBe(200)

    expect((await ask('DELETE', `/api/v1/tokens/${made.token_id}`, owner)).status).toBe(204)
    expect((await listTools(server, { token: next })).status).toBe(401)
    expect((await ask('DELETE', `/api/v1/tokens/${made.token_id}`, owner)).status).toBe(404)

    const list = await ask('GET', '/api/v1/tokens', owner)
    expect(list.body).toMatchObject({
      items: [{ name: 'ci', revoked_at: expect.any(String), last_used_at: expect.any(String) }],
    })
    const events = await collect(crib.events())
    const about = events.filter(({ event_type: type }) => type.startsWith('toolcrib.token.'))
    expect(about.map(({ event_type: type }) => type)).toEqual([
      'toolcrib.token.created',
      'toolcrib.token.rotated',
      'toolcrib.token.revoked',
    ])
    expect(about[0]!.data).toMatchObject({ name: 'ci', by: personName() })
    const documents = await crib.store.listDocuments({
      tenant: 'toolcrib.system',
      kind: 'access_token',
      limit: 9,
    })
    const kept = JSON.stringify([events, documents, list.body])
    expect(kept).not.toContain(made.token)
    expect(kept).not.toContain(next)
  })

  it('expire', async () => {
    const server = await openServer()
    const expiresAt = Date.now() + 400
    const { token } = await make(server, {
      name: 'brief',
      roles: ['caller'],
      expires_at: new Date(expiresAt).toISOString(),
    })
    expect((await listTools(server, { token })).status).toBe(200)
    await new Promise((resolve) => setTimeout(resolve, expiresAt - Date.now() + 20))
    expect((await listTools(server, { token })).status).toBe(401)
  })

  it('stay in their surface, also where they know the id of another one of their actor', async () => {
    const server = await openServer()
    const { token } = await make(server, { name: 'ci', roles: ['caller'], surface: 'default' })
    const wide = await server.crib.surface({ actor: 'ci', name: 'wide', scope: 'session', session: 'a' })
    const own = await server.crib.surface({ actor: 'ci', name: 'default', scope: 'session', session: 'a' })
    const statusOf = async (id: string) =>
      (await server.ask('GET', `/api/v1/surfaces/${id}`, { token })).status
    expect([await statusOf(own.id), await statusOf(wide.id)]).toEqual([200, 404])
    const body = { tool: 'x', surface_id: wide.id }
    expect((await server.ask('POST', '/api/v1/calls', { token, body })).status).toBe(404)
  })

  it('need an operator, have a name of their own, and never act as the owner or as a person', async () => {
    const server = await openServer()
    const { ask } = server
    const operator = await make(server, { name: 'ops', roles: ['operator'] })
    const reviewer = await make(server, { name: 'eve', roles: ['reviewer'] })
    const caller = await make(server, { name: 'ci', roles: ['caller'] })
    const status = async (token: string, body: object) =>
      (await ask('POST', '/api/v1/tokens', { token, body })).status
    for (const { token } of [reviewer, caller])
      expect(await status(token, { name: 'more', roles: ['operator'] })).toBe(403)
    expect(await status(operator.token, { name: 'ci', roles: ['caller'] })).toBe(409)
    for (const actor of ['olga', 'person:olga', 'role:reviewer', 'oidc:login.example.com:eve', ' x', 'a\nb'])
      expect(await status(operator.token, { name: 'more', roles: ['caller'], actor })).toBe(400)
    expect(await status(operator.token, { name: 'more', roles: [] })).toBe(400)
    expect(await status(operator.token, { name: 'more', roles: ['root'] })).toBe(400)
    expect(await status(operator.token, { name: 'a b', roles: ['caller'] })).toBe(400)
    expect(await status(operator.token, { name: 'more', roles: ['caller'], tenant: 'lab' })).toBe(403)
  })

  it('of another tenant do not exist for an operator', async () => {
    const server = await openServer()
    const { ask } = server
    const lab = await make(server, { name: 'lab-ops', roles: ['operator'], tenant: 'lab' })
    const ours = await make(server, { name: 'ci', roles: ['caller'] })
    const seen = await ask('GET', '/api/v1/tokens', { token: lab.token })
    expect(seen.body).toMatchObject({ items: [{ name: 'lab-ops', tenant: 'lab' }] })
    for (const [method, path] of [
      ['POST', `/api/v1/tokens/${ours.token_id}/rotate`],
      ['DELETE', `/api/v1/tokens/${ours.token_id}`],
    ] as const)
      expect((await ask(method, path, { token: lab.token })).status).toBe(404)
    const made = await make(server, { name: 'lab-ci', roles: ['caller'] }, lab.token)
    expect(made).toMatchObject({ tenant: 'lab' })
    const session = await ask('GET', '/api/v1/session', { token: made.token })
    expect(session.body).toMatchObject({ tenant: 'lab' })
    // Nor are their names taken.
    const namesake = await make(server, { name: 'ci', roles: ['caller'] }, lab.token)
    const body = { name: 'ci', roles: ['caller'] }
    expect((await ask('POST', '/api/v1/tokens', { token: lab.token, body })).status).toBe(409)
    expect((await ask('DELETE', `/api/v1/tokens/${namesake.token_id}`, { token: lab.token })).status).toBe(
      204,
    )
    expect(server.identities.tokens.named('ci')).toMatchObject([{ tokenId: ours.token_id }])
    expect((await ask('POST', '/api/v1/tokens', { token: loadOwnerToken(), body })).status).toBe(409)
  })

  it('are not repeated by an idempotency key', async () => {
    const { ask, crib } = await openServer()
    const asked = {
      token: loadOwnerToken(),
      body: { name: 'ci', roles: ['caller'] },
      headers: { 'idempotency-key': 'once' },
    }
    const { token } = (await ask('POST', '/api/v1/tokens', asked)).body as { token: string }
    const again = await ask('POST', '/api/v1/tokens', asked)
    expect(again).toMatchObject({
      status: 201,
      body: { name: 'ci' },
      headers: { 'idempotency-replayed': 'true' },
    })
    expect(again.body).not.toHaveProperty('token')
    const kept = await crib.store.listDocuments({
      tenant: 'toolcrib.system',
      kind: 'http_idempotency_key',
      limit: 9,
    })
    expect(kept.documents).toHaveLength(1)
    expect(JSON.stringify(kept)).not.toContain(token)
  })

  it('end the MCP sessions and the streams that they opened', async () => {
    let proceed = (): void => {}
    const slow = defineTool({
      name: 'slow',
      description: 'Waits.',
      isReadOnly: true,
      isOpenWorld: false,
      execute: () => new Promise<string>((resolve) => (proceed = () => resolve('kept from it'))),
    })
    const server = await openServer({ crib: { tools: [slow] } })
    const agent = await make(server, { name: 'ci', roles: ['caller', 'auditor'] })
    const { headers } = await listTools(server, { token: agent.token })
    const authorization = { authorization: `Bearer ${agent.token}` }
    const session = {
      'mcp-session-id': String(headers['mcp-session-id']),
      'mcp-protocol-version': '2025-11-25',
    }
    const accept = { accept: 'text/event-stream' }
    const streams = await Promise.all([
      fetch(`${server.origin}/mcp`, { headers: { ...authorization, ...session, ...accept } }),
      fetch(`${server.origin}/api/v1/events?from=now`, { headers: { ...authorization, ...accept } }),
      fetch(`${server.origin}/api/v1/calls`, {
        method: 'POST',
        headers: { ...authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ tool: 'local.slow', mode: 'stream' }),
      }),
    ])
    expect(streams.map(({ status }) => status)).toEqual([200, 200, 200])
    const ended = Promise.all(streams.map((each) => each.text().catch(() => 'cut off')))
    const owner = { token: loadOwnerToken() }
    const statusOf = async () =>
      ((await server.ask('GET', '/api/v1/invocations', owner)).body as { items: { status: string }[] })
        .items[0]?.status
    await expect.poll(statusOf).toBe('running')
    await server.ask('DELETE', `/api/v1/tokens/${agent.token_id}`, owner)
    const [, , call] = await ended
    // The call itself goes on, as for a client that leaves.
    expect(call).not.toContain('event: result')
    proceed()
    await expect.poll(statusOf).toBe('succeeded')
  })
})

describe('answers to approvals', () => {
  it('may be given by tokens with the role reviewer, never for calls of their own or of those who made them', async () => {
    const server = await openServer()
    const { crib } = server
    const asked = {
      requested_by: { actor: 'bot' },
      approval_id: 'apr_1',
      reviewers: ['person:olga', 'role:reviewer'],
    } as never
    const why = (who: Parameters<typeof crib.approvals.mayAnswer>[1]) => crib.approvals.mayAnswer(asked, who)
    expect(why({ by: 'eve', roles: ['reviewer'] })).toBeUndefined()
    expect(why({ by: 'person:olga', roles: [] })).toBeUndefined()
    expect(why({ by: 'eve', roles: ['caller', 'operator', 'auditor'] })).toBe(
      '"eve" is not set up as a reviewer. Reviewers are: olga at this machine and everyone with the role reviewer.',
    )
    expect(why({ by: 'role:reviewer', roles: [] })).toContain('is not set up as a reviewer')
    expect(why({ by: 'bot', roles: ['reviewer'] })).toContain('made the call')
    expect(why({ by: 'eve', roles: ['reviewer'], above: ['bot'] })).toContain('works below')
  })

  it('an operator that calls tools cannot answer with a token that it made or rotated', async () => {
    const server = await openServer()
    const bot = await make(server, { name: 'bot', roles: ['caller', 'operator'] })
    await make(server, { name: 'helper', roles: ['reviewer'] }, bot.token)
    const eve = await make(server, { name: 'eve', roles: ['reviewer'] })
    expect(server.identities.tokens.named('helper')).toMatchObject([{ above: ['bot'], createdBy: 'bot' }])
    expect(server.identities.tokens.named('eve')).toMatchObject([{ above: [] }])
    await server.ask('POST', `/api/v1/tokens/${eve.token_id}/rotate`, { token: bot.token })
    expect(server.identities.tokens.named('eve')).toMatchObject([{ above: ['bot'] }])
  })

  it('cannot be given by whoever made the token that asks, over any number of tokens and after a restart', async () => {
    const store = sqliteStore({ path: openTemporaryFolder().file('crib.db') })
    const save = defineTool({ name: 'save', description: 'Saves.', execute: () => 'saved' })
    const crib = { tools: [save], permission: { ask: ['local.save'] } }
    const first = await openServer({ store, crib })
    const ops = await make(first, { name: 'ops', roles: ['operator', 'reviewer'] })
    const other = await make(first, { name: 'other', roles: ['reviewer'] })
    const helper = await make(first, { name: 'helper', roles: ['operator'] }, ops.token)
    const eve = await make(first, { name: 'eve', roles: ['reviewer'] }, ops.token)
    const bot = await make(first, { name: 'bot', roles: ['caller'] }, helper.token)
    const late = await make(first, { name: 'late', roles: ['caller'] })

    const askWith = async (token: string, more: object = {}): Promise<string> => {
      const body = { tool: 'save', ...more }
      const asked = await first.ask('POST', '/api/v1/calls', { token, body })
      expect(asked.status, JSON.stringify(asked.body)).toBe(202)
      return (asked.body as { approval_id: string }).approval_id
    }
    const answer = (server: OpenedServer, id: string, token: string) =>
      server.ask('POST', `/api/v1/approvals/${id}/answer`, { token, body: { approved: true } })
    const forbidden = { status: 403, body: { code: 'toolcrib.asker_cannot_answer' } }

    // A surface that was opened before its token was rotated does not hide who knows the token now.
    const surface = await first.ask('POST', '/api/v1/surfaces', { token: late.token, body: {} })
    const { surface_id: id } = surface.body as { surface_id: string }
    await askWith(late.token, { surface_id: id })
    const rotated = await first.ask('POST', `/api/v1/tokens/${late.token_id}/rotate`, { token: ops.token })
    const { token: again } = rotated.body as { token: string }
    const stale = await first.ask('POST', '/api/v1/calls', {
      token: again,
      body: { tool: 'save', surface_id: id },
    })
    expect(stale.status).toBe(404)
    expect(await answer(first, await askWith(again), ops.token)).toMatchObject(forbidden)

    const waiting = await askWith(bot.token)
    for (const { token } of [ops, eve]) expect(await answer(first, waiting, token)).toMatchObject(forbidden)
    const shown = await first.ask('GET', `/api/v1/approvals/${waiting}`, { token: ops.token })
    expect(JSON.stringify(shown.body)).toContain('"held_by":["helper","ops"]')
    await first.close()
    const second = await openServer({ store: sqliteStore({ path: store.files()[0]! }), crib })
    for (const { token } of [ops, eve]) expect(await answer(second, waiting, token)).toMatchObject(forbidden)
    expect((await answer(second, waiting, other.token)).status).toBe(200)
  })
})
