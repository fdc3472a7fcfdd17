import { PassThrough } from 'node:stream'
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { expect, it, onTestFinished } from 'vitest'
import { parseRecord } from '../../../src/contract/index.js'
import { createCrib, defineTool, memoryStore } from '../../../src/index.js'
import { createGateway, serveStdio } from '../../../src/mcp.js'
import { serveCrib } from '../../../src/server.js'

const add = defineTool({
  namespace: 'math',
  name: 'add',
  description: 'Adds two numbers.',
  isReadOnly: true,
  isOpenWorld: false,
  execute: async () => ({ sum: 3 }),
})

const TOKEN = 'a-token-of-the-agent'
const info = { name: 'peer', version: '1.0.0' }
const inMeta = { trace_id: '4bf92f3577b34da6a3ce929d0e0e4736', span_id: '00f067aa0ba902b7' }
const inHeader = { trace_id: '0af7651916cd43dd8448eb211c80319c', span_id: 'b7ad6b7169203331' }
const parentOf = ({ trace_id: trace, span_id: span }: typeof inMeta): string => `00-${trace}-${span}-01`
const _meta = { traceparent: parentOf(inMeta) }
const requestInit = {
  headers: { authorization: `Bearer ${TOKEN}`, traceparent: parentOf(inHeader) },
}

async function open(traceUrl?: string) {
  const crib = await createCrib({ tools: [add], store: memoryStore() })
  const server = await serveCrib({
    crib,
    tokens: [{ actor: 'agent', roles: ['caller', 'auditor'], token: TOKEN }],
    traceUrl,
  })
  onTestFinished(async () => {
    await server.close()
    await crib.close({ graceMs: 0 })
  })
  const { headers } = requestInit
  /** The trace of the last call: in the record, and in the story that the API tells. */
  const lastTrace = async () => {
    const { stories } = await crib.storyPage({ limit: 1, newestFirst: true })
    const { invocation } = stories[0]!
    expect(parseRecord('tool_invocation', invocation).ok).toBe(true)
    const answer = await fetch(`${server.url}/api/v1/invocations/${invocation.invocation_id}/story`, {
      headers,
    })
    const { trace_refs: told } = (await answer.json()) as { trace_refs: unknown[] }
    return { recorded: invocation.telemetry_refs, told }
  }
  const ask = (path: string, body: object, more = {}) =>
    fetch(`${server.url}/api/v1${path}`, {
      method: 'POST',
      headers: { ...headers, ...more, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  return { crib, server, lastTrace, ask }
}

it('records the trace of MCP clients over HTTP: that of _meta, or else that of the header', async () => {
  const { server, lastTrace } = await open()
  const url = new URL(`${server.url}/mcp`)
  const clients = [
    [new Client(info), new StreamableHTTPClientTransport(url, { requestInit })],
    [new Client(info), new SSEClientTransport(new URL(`${server.url}/sse`), { requestInit })],
    [
      new ModernClient(info, { versionNegotiation: { mode: 'auto' } }),
      new ModernTransport(url, { requestInit }),
    ],
  ] as [Client, StreamableHTTPClientTransport][]
  for (const [client, transport] of clients) {
    await client.connect(transport)
    await client.callTool({ name: 'math__add', arguments: {}, _meta })
    expect(await lastTrace()).toEqual({ recorded: [inMeta], told: [inMeta] })
    await client.callTool({ name: 'math__add', arguments: {} })
    expect(await lastTrace()).toEqual({ recorded: [inHeader], told: [inHeader] })
    await client.callTool({ name: 'math__add', arguments: {}, _meta: { traceparent: 7 } })
    expect(await lastTrace()).toEqual({ recorded: undefined, told: [] })
    await client.close()
  }
})

it('records the trace of an MCP client over standard input and output', async () => {
  const { crib, lastTrace } = await open()
  const gateway = createGateway({ crib, surfaces: { default: {} }, info })
  const [input, output] = [new PassThrough(), new PassThrough()]
  const stdio = serveStdio({ gateway, caller: { actor: 'agent' }, input, output })
  onTestFinished(async () => {
    await stdio.close()
    await gateway.close()
  })
  const answers = new Promise<void>((resolve) =>
    output.on('data', (line: Buffer) => String(line).includes('"id":2') && resolve()),
  )
  const params = { protocolVersion: '2025-11-25', clientInfo: info, capabilities: {} }
  input.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`)
  const call = { name: 'math__add', arguments: {}, _meta }
  input.write(`${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: call })}\n`)
  await answers
  expect(await lastTrace()).toEqual({ recorded: [inMeta], told: [inMeta] })
})

it('records the header of calls and batches of the API, and links the traces for people', async () => {
  const { lastTrace, ask } = await open('https://traces.example.com/trace/{trace_id}?full')
  const url = `https://traces.example.com/trace/${inHeader.trace_id}?full`
  await ask('/calls', { tool: 'math.add' })
  const expected = { recorded: [inHeader], told: [{ ...inHeader, toolcrib: { url } }] }
  expect(await lastTrace()).toEqual(expected)
  await ask('/batches', { calls: [{ tool: 'math.add' }] })
  expect(await lastTrace()).toEqual(expected)
  await ask('/calls', { tool: 'math.add' }, { traceparent: '00-not-a-trace' })
  expect(await lastTrace()).toEqual({ recorded: undefined, told: [] })
})

it('gives no link that is not on the web', async () => {
  const { crib, lastTrace } = await open('javascript:alert("{trace_id}")')
  const surface = await crib.surface()
  await crib.call(surface, { name: 'math.add', traceParent: parentOf(inMeta) })
  expect(await lastTrace()).toEqual({ recorded: [inMeta], told: [inMeta] })
})

it('ignores what is no trace in the library', async () => {
  const { crib, lastTrace } = await open()
  const surface = await crib.surface()
  const traceParent = 7 as unknown as string
  expect(await crib.call(surface, { name: 'math.add', traceParent })).toMatchObject({ is_error: false })
  expect(await lastTrace()).toEqual({ recorded: undefined, told: [] })
})
