import { describe, expect, test } from 'vitest'
import { createRateLimit } from '../../../../src/sources/mcp/connection/create-rate-limit.js'
import { listPages } from '../../../../src/sources/mcp/tools/list-pages.js'
import { startHttpPeer } from './http-peer.js'
import { callOf, openWith } from './start-servers.js'

const tools = (count: number, words = 'Works.') =>
  Array.from({ length: count }, (_, at) => ({
    name: `t${at}`,
    description: words,
    inputSchema: { type: 'object' },
  }))

describe('a list', () => {
  test('of many tools is limited to a number that can be set', async () => {
    const listed = await listPages(async () => ({ tools: tools(30) }), 'tools', 20)
    expect(listed.entries).toHaveLength(20)
    expect(listed.problem).toBe('it lists more than 20 entries; the rest is left out')
  })

  test('is truncated after 4 MiB', async () => {
    const { entries, problem } = await listPages(
      async () => ({ tools: tools(100, 'x'.repeat(100_000)) }),
      'tools',
    )
    expect(entries.length).toBe(41)
    expect(problem).toMatch(/more than 4194304 bytes/)
  })

  test('that is truncated is reported in the row of its server, and the listed tools work', async () => {
    const peer = await startHttpPeer(({ method, id }, response) => {
      if (method !== 'tools/list') return false
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { tools: tools(500) } }))
      return true
    })
    const { crib, servers } = await openWith({ up: { url: peer.url, maxTools: 300 } })
    expect((await callOf(crib, 'mcp.up.t299')).status).toBe('succeeded')
    expect((await callOf(crib, 'mcp.up.t300')).error).toMatchObject({ error_class: 'unknown_tool' })
    expect(servers.get('up')!.health()).toMatchObject({
      state: 'degraded',
      tools: 300,
      reason: 'Its list was cut: it lists more than 300 entries; the rest is left out.',
    })
  })

  test('that exceeds the message limits leaves the tools out, and the row names the setting', async () => {
    const peer = await startHttpPeer(({ method, id }, response) => {
      if (method !== 'tools/list') return false
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { tools: tools(5_000) } }))
      return true
    })
    const { servers } = await openWith({ up: { url: peer.url, maxMessageValues: 10_000 } })
    expect(servers.get('up')!.health()).toMatchObject({
      tools: 0,
      reason: expect.stringMatching(/cannot be listed: .*more than 10000 values.*"maxMessageValues"/),
    })
  })
})

test('a rate limit allows a burst, then a number per second, and counts the rest', () => {
  let time = 0
  const rate = createRateLimit({ burst: 10, perSecond: 100, now: () => time })
  const taken = (count: number) => Array.from({ length: count }, () => rate.take()).filter(Boolean).length
  expect(taken(30)).toBe(10)
  time = 50
  expect(taken(30)).toBe(5)
  expect(rate.takeDropped()).toBe(45)
  expect(rate.takeDropped()).toBe(0)
  time = 60_000
  expect(taken(30)).toBe(10)
})
