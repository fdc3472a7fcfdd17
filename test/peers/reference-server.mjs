/**
 * A server with the tools, prompts and resources that the official conformance suite expects, written with the official
 * packages. Both eras on one address: sessions for clients that open with `initialize`, none for the others.
 *
 *   node test/peers/reference-server.mjs [port]     prints the address; a free port unless given
 *   node test/peers/reference-server.mjs --stdio
 */
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { pathToFileURL } from 'node:url'
import { localhostHostValidation, localhostOriginValidation, toNodeHandler } from '@modelcontextprotocol/node'
import {
  WebStandardStreamableHTTPServerTransport,
  createMcpHandler,
  isLegacyRequest,
} from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { createServerState, createReferenceServer } from './reference/create-server.mjs'
import { createEventLog } from './reference/event-log.mjs'

/** Resolves with the address and a way to stop. */
export async function startReferenceServer({ port = 0 } = {}) {
  const shared = createServerState()
  const modern = createMcpHandler(() => createReferenceServer(shared, 'modern'), { legacy: 'reject' })
  shared.onChange((change) => {
    if (change.kind === 'tool') modern.notify.toolsChanged()
    else if (change.kind === 'prompt') modern.notify.promptsChanged()
    else modern.notify.resourceUpdated(change.uri)
  })
  const sessions = createSessions(shared)
  const answer = toNodeHandler({
    fetch: async (request, options) =>
      (await isLegacyRequest(request))
        ? sessions.fetch(request, options)
        : refusedAs400(await modern.fetch(request, options)),
  })
  const guards = [localhostHostValidation(), localhostOriginValidation()]
  const server = createServer((request, response) => {
    if (!guards.every((guard) => guard(request, response))) return
    void answer(request, response)
  })
  await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${server.address().port}/mcp`,
    sessions: sessions.count,
    close: async () => {
      await sessions.close()
      await modern.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function createSessions(shared) {
  const open = new Map()
  const start = async () => {
    const mcp = createReferenceServer(shared, 'legacy')
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      eventStore: createEventLog(),
      retryInterval: 300,
      onsessioninitialized: (id) => void open.set(id, transport),
      onsessionclosed: (id) => void open.delete(id),
    })
    await mcp.connect(transport)
    return transport
  }
  return {
    count: () => open.size,
    fetch: async (request, options) => {
      const id = request.headers.get('mcp-session-id')
      if (id !== null && !open.has(id)) return failure(404, -32001, 'There is no such session.')
      if (id !== null) return open.get(id).handleRequest(request, options)
      if (request.method !== 'POST') return failure(400, -32000, 'The header Mcp-Session-Id is missing.')
      const transport = await start()
      const response = await transport.handleRequest(request, options)
      if (transport.sessionId === undefined) await transport.close()
      return response
    },
    close: () => Promise.all([...open.values()].map((transport) => transport.close())),
  }
}

const failure = (status, code, message) =>
  Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status })

/** A tool finds out only while it runs that the client lacks something; the status has to say so all the same. */
async function refusedAs400(response) {
  if (response.status !== 200 || !response.headers.get('content-type')?.includes('json')) return response
  const text = await response.text()
  const status = JSON.parse(text).error?.code === -32021 ? 400 : 200
  return new Response(text, { status, headers: response.headers })
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  if (process.argv[2] === '--stdio') {
    const shared = createServerState()
    serveStdio(({ era }) => createReferenceServer(shared, era))
  } else {
    const { url } = await startReferenceServer({ port: Number(process.argv[2] ?? 0) })
    console.log(url)
  }
}
