import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { startHttpPeer } from './http-peer.js'
import { agreeingClient } from '../open.js'
import { callOf, openWith } from './start-servers.js'

const json = { 'content-type': 'application/json' }

/** Responses that are no messages of the protocol, and whether the call may have run after them. */
const oddAnswers: [string, boolean, (response: ServerResponse) => unknown][] = [
  ['a page', true, (to) => to.writeHead(200, { 'content-type': 'text/html' }).end('<html>ok')],
  ['half a message', true, (to) => to.writeHead(200, json).end('{"jsonrpc":"2.0","id":3,"result":{"con')],
  ['nothing', true, (to) => to.writeHead(200).end()],
  ['HTTP 202', true, (to) => to.writeHead(202).end()],
  ['HTTP 303', true, (to) => to.writeHead(303, { location: '/done' }).end()],
  ['HTTP 408', true, (to) => to.writeHead(408).end()],
  ['HTTP 409', true, (to) => to.writeHead(409).end('after the write')],
  ['HTTP 500', true, (to) => to.writeHead(500).end()],
  ['a reset', true, (to) => to.destroy()],
  ['HTTP 400', false, (to) => to.writeHead(400).end()],
  ['HTTP 429', false, (to) => to.writeHead(429).end()],
]

test.each(oddAnswers)('a call that is answered with %s is sent once', async (_, mayHaveRun, answer) => {
  const peer = await startHttpPeer(({ method }, response) => {
    if (method !== 'tools/call') return false
    answer(response)
    return true
  })
  const { crib } = await openWith({ up: { url: peer.url } })
  const { error } = await callOf(crib, 'mcp.up.work')
  expect(error?.error_code).toBe('toolcrib.server_lost')
  expect(error?.message).toContain(mayHaveRun ? 'the call may have run' : 'the call has not run')
  expect(peer.heard.filter((method) => method === 'tools/call')).toHaveLength(1)
})

test('a refused second round does not start the call again', async () => {
  const rounds: string[] = []
  const peer = await startHttpPeer(({ method, params }, response, say) => {
    if (method === 'server/discover') say({ supportedVersions: ['2026-07-28'], capabilities: { tools: {} } })
    else if (method !== 'tools/call') return false
    else if (params['inputResponses'] === undefined) {
      rounds.push('first')
      const question = { method: 'elicitation/create', params: { message: 'Sure?', requestedSchema: {} } }
      say({ resultType: 'input_required', requestState: 'begun', inputRequests: { sure: question } })
    } else {
      rounds.push('second')
      response.writeHead(400).end('stale')
    }
    return true
  })
  const { crib } = await openWith({ up: { url: peer.url } })
  const client = agreeingClient({ elicitation: {} })
  const { error } = await callOf(crib, 'mcp.up.work', {}, { client })
  expect(rounds).toEqual(['first', 'second'])
  expect(client.asked).toHaveLength(1)
  expect(error?.message).toContain('the call may have run')
})

test('a server with sessions and without a stream stays connected', async () => {
  const onGet = (response: ServerResponse) => response.writeHead(404).end('Cannot GET /mcp')
  const peer = await startHttpPeer(undefined, { session: 'one', onGet })
  const { crib, servers } = await openWith({ up: { url: peer.url } })
  expect((await callOf(crib, 'mcp.up.work')).status).toBe('succeeded')
  expect(servers.get('up')!.health().state).toBe('ready')
  expect(peer.heard.filter((method) => method === 'initialize')).toHaveLength(1)
})
