import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, it, onTestFinished } from 'vitest'
import { bin, createPlace, root, type Place } from './run-cli.js'

const notes = join(root, 'test/edges/cli/notes-server.mjs')
const BOOK = `mcpServers: { book: { command: '${process.execPath}', args: ['${notes}'] } }\n`

/** A client whose user answers each form with the same choice. */
async function clientOf(place: Place, decision: string) {
  const client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: {} } })
  const offered: unknown[] = []
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
    const { requestedSchema } = params as {
      requestedSchema?: { properties: Record<string, { enum?: unknown }> }
    }
    offered.push(requestedSchema?.properties['decision']?.enum)
    return { action: 'accept', content: { decision } }
  })
  const env = { ...process.env, ...place.env } as Record<string, string>
  const args = [bin, 'serve', '--stdio', '--config', 'toolcrib.yaml']
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, env, cwd: place.folder, stderr: 'ignore' }),
  )
  onTestFinished(() => client.close())
  const write = async (): Promise<string> => {
    const result = await client.callTool({ name: 'book__write', arguments: { text: 'hello' } })
    return (result['content'] as { text: string }[])[0]!.text
  }
  return { offered, write }
}

describe('approval in the client of toolcrib serve', () => {
  it('is given once, for the session and permanently, by the user who runs the gateway', async () => {
    const place = createPlace(BOOK)
    const once = await clientOf(place, 'allow once')
    expect([await once.write(), await once.write()]).toEqual(['Written.', 'Written.'])
    expect(once.offered).toHaveLength(2)
    for (const decision of ['allow for this session', 'always allow']) {
      const { offered, write } = await clientOf(place, decision)
      expect([await write(), await write()]).toEqual(['Written.', 'Written.'])
      expect(offered).toEqual([expect.arrayContaining([decision])])
    }
    const later = await clientOf(place, 'deny')
    expect(await later.write()).toBe('Written.')
    expect(later.offered).toHaveLength(0)
  })

  it('is not given there if the config names reviewers', async () => {
    const place = createPlace(`approvals: { reviewers: [boss] }\n${BOOK}`)
    const { offered, write } = await clientOf(place, 'allow once')
    expect(await write()).toContain('waits for approval')
    expect(offered).toHaveLength(0)
  })
})
