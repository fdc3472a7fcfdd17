import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
  type VersionNegotiationOptions,
} from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ElicitRequestSchema, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, test } from 'vitest'
import type { Authenticate } from '../../../../src/edges/server/auth/authenticate.js'
import { until } from '../../../until.js'
import { openServer } from './open-server.js'

const info = { name: 'peer', version: '1.0.0' }
const authenticate: Authenticate = async ({ headers }) =>
  headers.authorization === 'Bearer t'
    ? { actor: 'peer', roles: ['caller'], token: 't' }
    : { status: 401, wwwAuthenticate: 'Bearer', message: 'A token is needed.' }
const requestInit = { headers: { authorization: 'Bearer t' } }

describe('the official client, version 1', () => {
  const connect = async (url: string) => {
    const client = new Client(info, { capabilities: { elicitation: {} } })
    const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit })
    await client.connect(transport)
    return { client, transport }
  }

  test('lists, calls, gets progress and answers questions', async () => {
    const { url } = await openServer({ authenticate })
    const { client, transport } = await connect(url)
    expect(transport.protocolVersion).toBe('2025-11-25')
    client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { who: 'me' } }))
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('echo')
    const steps: number[] = []
    const done = await client.callTool({ name: 'progress', arguments: {} }, undefined, {
      onprogress: ({ progress }) => steps.push(progress),
    })
    expect(steps).toEqual([1, 2, 3])
    expect(done.content).toEqual([{ type: 'text', text: 'done' }])
    const asked = await client.callTool({ name: 'ask', arguments: {} })
    expect(asked.content).toEqual([{ type: 'text', text: '{"action":"accept","content":{"who":"me"}}' }])
    await transport.terminateSession()
    await client.close()
  })

  test('gets list changes on its own stream', async () => {
    const { url, gateway, server } = await openServer({ authenticate })
    const { client } = await connect(url)
    let changes = 0
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => void (changes += 1))
    await until(() => server.open.streams === 1)
    gateway.announce('notifications/tools/list_changed')
    await until(() => changes === 1)
    await client.close()
    await until(() => server.open.streams === 0)
  })

  test('cancels a call', async () => {
    const { url, gateway, server } = await openServer({ authenticate })
    const { client } = await connect(url)
    const controller = new AbortController()
    const waiting = client.callTool({ name: 'hang', arguments: {} }, undefined, { signal: controller.signal })
    await until(() => server.open.posts === 1)
    controller.abort()
    await expect(waiting).rejects.toThrow()
    await until(() => gateway.aborted.length === 1)
    await client.close()
  })

  test('uses the transport of 2024-11-05', async () => {
    const { server, gateway } = await openServer({ authenticate })
    const client = new Client(info)
    await client.connect(new SSEClientTransport(new URL(`${server.url}/sse`), { requestInit }))
    const answer = await client.callTool({ name: 'echo', arguments: { text: 'old' } })
    expect(answer.content).toEqual([{ type: 'text', text: 'old' }])
    await client.close()
    await until(() => gateway.sessions.size === 0)
  })
})

describe('the official client, version 2', () => {
  test.for<['legacy' | 'modern', VersionNegotiationOptions]>([
    ['legacy', { mode: 'legacy' }],
    ['modern', { mode: { pin: '2026-07-28' } }],
    ['modern', { mode: 'auto' }],
  ])('lists and calls in the %s era', async ([era, versionNegotiation]) => {
    const { url, server } = await openServer({ authenticate })
    const client = new ModernClient(info, { versionNegotiation })
    await client.connect(new ModernTransport(new URL(url), { requestInit }))
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('echo')
    const steps: number[] = []
    const done = await client.callTool(
      { name: 'progress', arguments: {} },
      { onprogress: ({ progress }: { progress: number }) => void steps.push(progress) },
    )
    expect(done.content).toEqual([{ type: 'text', text: 'done' }])
    expect(steps).toEqual([1, 2, 3])
    const marked = await client.callTool({ name: 'regional', arguments: { region: 'Zürich' } })
    expect(marked.content).toEqual([{ type: 'text', text: 'Zürich' }])
    expect(server.open).toMatchObject(
      era === 'legacy' ? { sessions: 1, connections: 0 } : { sessions: 0, connections: 1 },
    )
    await client.close()
  })
})
