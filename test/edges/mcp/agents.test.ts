import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ElicitRequestSchema, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { createCrib, memoryStore, type OfferedAgent } from 'toolcrib'
import { expect, it, onTestFinished } from 'vitest'
import { gatewaySettingsOf, shadowedAgents } from '../../../src/host/serving/gateway-settings.js'
import { createGateway, serveHttp } from '../../../src/mcp.js'
import type { CribConfig } from '../../../src/platform/config/schema/config-schema.js'
import { agentOf, agentsSource } from '../../sources/agents-source.js'

/** A gateway for a config, in front of a source that offers agents. */
async function serve(agents: Readonly<Record<string, OfferedAgent>>, config: CribConfig = {}) {
  const source = agentsSource({ agents })
  const crib = await createCrib({
    store: memoryStore(),
    sources: [source],
    reviewers: ['person:ann'],
    permission: { allow: ['*'] },
  })
  const settings = { configPath: undefined, trust: { isTrusted: true } as const, config, hooks: [] }
  const gateway = createGateway({
    ...gatewaySettingsOf(settings, { crib, store: undefined }),
    crib,
    personBehind: () => ({ name: 'person:ann', mayChangeRules: false }),
  })
  const served = await serveHttp({ gateway, authenticate: undefined })
  const clients: Client[] = []
  onTestFinished(async () => {
    for (const client of clients) await client.close()
    await served.close()
    await gateway.close()
    await crib.close({ graceMs: 100 })
  })
  async function connect(path: string) {
    const client = new Client({ name: 'tests', version: '1.0.0' }, { capabilities: { elicitation: {} } })
    const asked: string[] = []
    client.setRequestHandler(ElicitRequestSchema, (request) => {
      asked.push(request.params.message)
      return { action: 'accept', content: { answer: 'once', decision: 'once' } }
    })
    clients.push(client)
    await client.connect(new StreamableHTTPClientTransport(new URL(`${served.url}/mcp${path}`)))
    const names = async (): Promise<string[]> => (await client.listTools()).tools.map(({ name }) => name)
    const call = async (name: string) => {
      const { isError = false, content } = await client.callTool({ name, arguments: {} })
      return { isError, text: (content as { text: string }[]).map(({ text }) => text).join('\n') }
    }
    return { client, asked, names, call }
  }
  return { crib, source, settings, connect }
}

it('an agent is a surface by path: its tools, its limit and its approvals', async () => {
  const support = agentOf(['look', 'send'], {
    approvalRequired: ['aml.desk.send'],
    maxCallsPerRun: { 'aml.desk.look': 2 },
  })
  const { connect } = await serve({ support })
  const { names, call, asked } = await connect('/support')
  expect(await names()).toEqual(['aml__desk__look', 'aml__desk__send'])
  expect(await call('aml__desk__look')).toEqual({ isError: false, text: 'look' })
  await call('aml__desk__look')
  expect(await call('aml__desk__look')).toMatchObject({
    isError: true,
    text: expect.stringContaining('the max_calls_per_run of the agent "support"'),
  })
  expect(asked).toEqual([])
  await call('aml__desk__send')
  expect(asked).toHaveLength(1)
  await expect(call('aml__desk__close')).rejects.toThrow('Unknown tool: aml__desk__close')
  // Another session is another run.
  expect(await (await connect('/support')).call('aml__desk__look')).toMatchObject({ isError: false })
  expect(await (await connect('')).names()).toHaveLength(3)
})

it('agents come, change and go while the gateway serves', async () => {
  const { crib, source, connect } = await serve({})
  await expect(connect('/support')).rejects.toThrow('There is no surface "support".')
  source.change({ support: agentOf(['look']) })
  await crib.caughtUp()
  const { client, names } = await connect('/support')
  expect(await names()).toEqual(['aml__desk__look'])
  const changed = new Promise<void>((resolve) => {
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve())
  })
  source.change({ support: agentOf(['look', 'send']) })
  await changed
  expect(await names()).toEqual(['aml__desk__look', 'aml__desk__send'])
  source.change({ support: { problem: 'agents/support.agent.md:4:3: the tool "lok" does not exist.' } })
  await crib.caughtUp()
  expect(await names()).toEqual([])
  await expect(connect('/support')).rejects.toThrow(
    'The agent "support" has no surface: agents/support.agent.md:4:3: the tool "lok" does not exist.',
  )
  await expect(connect('/suport')).rejects.toThrow('There is no surface "suport"; did you mean "support"?')
})

it('a surface of the config comes before an agent of its name, and can tighten an agent', async () => {
  const agents = { support: agentOf(['look', 'send']), other: agentOf(['close']) }
  const { connect, settings, crib } = await serve(agents, {
    surface: { exclude: ['send'] },
    serve: {
      surfaces: {
        support: { include: ['aml.desk.close'] },
        narrow: { agent: 'support', include: ['*.send'] },
        lost: { agent: 'nobody' },
      },
    },
  })
  expect(await (await connect('/support')).names()).toEqual(['aml__desk__close'])
  // What the config says of a surface holds for agents too.
  expect(await (await connect('/desk.support')).names()).toEqual(['aml__desk__look'])
  expect(await (await connect('/narrow')).names()).toEqual(['aml__desk__send'])
  await expect(connect('/lost')).rejects.toThrow(
    'The surface "lost" is of the agent "nobody", which no source offers.',
  )
  expect(shadowedAgents(settings, crib.agents())).toEqual([
    'The agent "support" of desk is not served under its name: the config has a surface "support"; rename one of them, or use desk.support.',
  ])
})

it('the tool choice "none" of an agent lets a client call nothing', async () => {
  const { connect } = await serve({ reader: agentOf(['look'], { defaultToolChoice: 'none' }) })
  const { call } = await connect('/reader')
  expect(await call('aml__desk__look')).toMatchObject({
    isError: true,
    text: expect.stringContaining('its tool choice is "none"'),
  })
})
