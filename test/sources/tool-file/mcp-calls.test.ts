import { describe, expect, it } from 'vitest'
import { startHttpPeer, type Otherwise } from '../mcp/servers/http-peer.js'
import { openTools } from './open-tools.js'
import { object, text, toolFolder } from './write-tools.js'

const mcp = (url: string, tool_name: string, more: object = {}) => ({
  type: 'mcp',
  url,
  tool_name,
  credentials: { scheme: 'none' },
  ...more,
})

async function open(otherwise: Otherwise, transports: Record<string, object>, settings = {}) {
  const peer = await startHttpPeer(otherwise)
  const folder = toolFolder()
  for (const [toolId, more] of Object.entries(transports))
    folder.tool(toolId, { transport: mcp(peer.url, 'work', more) })
  const opened = await openTools({ folder: folder.path, ...settings })
  expect(opened.problems).toEqual([])
  return { peer, ...opened }
}

const saying =
  (result: Record<string, unknown>): Otherwise =>
  ({ method }, _, say) => {
    if (method !== 'tools/call') return false
    say(result)
    return true
  }

describe('[AML-FILE-08] a tool of an MCP server', () => {
  it('shares the connection of tools with the same address and credential', async () => {
    const answer = saying({ content: [], structuredContent: { text: 'a' } })
    const { peer, call } = await open(answer, { one: {}, two: {} })
    for (const toolId of ['one', 'two', 'one'])
      expect((await call(toolId)).structured_content).toEqual({ text: 'a' })
    expect(peer.heard.filter((method) => method === 'initialize')).toHaveLength(1)
    expect(peer.heard).not.toContain('tools/list')
  })

  it('speaks the revision of its file, and refuses a server that speaks another', async () => {
    const answer = saying({ content: [], structuredContent: { text: 'a' } })
    const { call } = await open(answer, {
      same: { protocol_version: '2025-06-18' },
      other: { protocol_version: '2024-11-05' },
    })
    const result = await call('same')
    expect(result.toolcrib!['native']).toMatchObject({
      source: 'aml',
      tool_name: 'work',
      mcp_protocol_version: '2025-06-18',
    })
    expect((await call('other', {}, { retries: 0 })).error).toMatchObject({
      error_class: 'dependency_unavailable',
      message: expect.stringContaining('2024-11-05') as string,
    })
  })

  it('takes data that the server gives only as a JSON text', async () => {
    const { call } = await open(saying({ content: [{ type: 'text', text: '{"text":"a"}' }] }), { one: {} })
    expect((await call('one')).structured_content).toEqual({ text: 'a' })
  })

  it('fails where the server says so, and keeps its words', async () => {
    const failed = saying({ isError: true, content: [{ type: 'text', text: 'No such page.' }] })
    const { call, peer } = await open(failed, { one: {} })
    expect((await call('one')).error).toMatchObject({
      error_class: 'execution_failed',
      message: 'No such page.',
    })
    expect(peer.heard.filter((method) => method === 'tools/call')).toHaveLength(1)
  })

  it('puts a plain text into the only field that can hold it', async () => {
    const blocks = ['Rain,', 'then sun.'].map((line) => ({ type: 'text', text: line }))
    const { call } = await open(saying({ content: blocks }), { one: {} })
    const { structured_content: structured, content } = await call('one')
    expect(structured).toEqual({ text: 'Rain,\nthen sun.' })
    expect(content).toMatchObject(blocks)
  })

  it('fails where the server gives a text and no single field can hold it', async () => {
    const folder = toolFolder()
    const peer = await startHttpPeer()
    folder.tool('one', {
      interface: { input: object({}), output: object({ text, other: text }, ['text']) },
      transport: mcp(peer.url, 'work'),
    })
    const { call } = await openTools({ folder: folder.path })
    const { error, content } = await call('one')
    expect(error?.error_code).toBe('toolcrib.output_schema_mismatch')
    expect(JSON.stringify(content)).toContain('done')
  })

  it('sends its credential to the origin of its address only', async () => {
    const seen: unknown[] = []
    const transport = { credentials: { scheme: 'bearer-token', source: 'env', name: 'TOKEN' } }
    const answer: Otherwise = ({ method }, response, say) => {
      seen.push(response.req.headers.authorization)
      return saying({ content: [], structuredContent: { text: 'a' } })(
        { method, params: {} } as never,
        response,
        say,
      )
    }
    const { call } = await open(answer, { one: transport }, { env: { TOKEN: 'canary-token-77' } })
    expect((await call('one')).error).toBeUndefined()
    expect(new Set(seen)).toEqual(new Set(['Bearer canary-token-77']))
  })
})
