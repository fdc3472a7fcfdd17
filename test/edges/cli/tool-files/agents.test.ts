import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ElicitRequestSchema, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, it, onTestFinished } from 'vitest'
import { bin, createPlace, untilPrinted, type Place } from '../run-cli.js'

function functionTool(id: string): string {
  return `---
spec_version: "1.2"
tool_id: "${id}"
version: "1.0.0"
status: "active"
meta:
  name: "${id}"
  description: "Does ${id}."
  owner: "team"
type: "function"
interface:
  input: { type: object, properties: { text: { type: string } } }
  output: { type: object, properties: { said: { type: string } } }
use_guidance:
  use_when: ["a test runs"]
  avoid_when: ["no test runs"]
  side_effects: "None"
---
`
}

const agentFile = (id: string, tools: string): string =>
  `---\nspec_version: "1.2"\nagent_id: "${id}"\ntools:\n${tools}---\n`

const SUPPORT = agentFile(
  'support-agent',
  `  refs:
    - { ref: "look-up", max_calls_per_run: 2 }
    - { ref: "tell-all", approval_required: true }
`,
)

const CONFIG = `toolFiles:
  desk: { folder: ./desk, code: ./desk/code.mjs }
permission:
  allow: ['*']
`

const IDS = ['look-up', 'tell-all', 'keep-out']

interface Desk extends Place {
  put(file: string, text: string): void
}

/** A config with a tool folder: three tools in code, and an agent that may use two of them. */
function desk(config = CONFIG): Desk {
  const place = createPlace('')
  const put = (file: string, text: string): void => {
    mkdirSync(dirname(join(place.folder, file)), { recursive: true })
    writeFileSync(join(place.folder, file), text)
  }
  for (const id of IDS) put(`desk/tools/${id}.tool.md`, functionTool(id))
  put('desk/agents/support-agent.agent.md', SUPPORT)
  const entries = IDS.map((id) => `  '${id}': ({ text = '' }) => ({ said: '${id} ' + text }),`)
  put('desk/code.mjs', `export default {\n${entries.join('\n')}\n}\n`)
  put('toolcrib.yaml', config)
  place.trust()
  return { ...place, put }
}

/** A client that says yes to every question. */
async function connect(
  transport: ConstructorParameters<typeof StreamableHTTPClientTransport>[0] | StdioClientTransport,
  token = '',
) {
  const client = new Client({ name: 'tests', version: '1.0.0' }, { capabilities: { elicitation: {} } })
  const asked: string[] = []
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    asked.push(params.message)
    const schema = 'requestedSchema' in params ? params.requestedSchema : undefined
    const content = Object.fromEntries(
      Object.entries(schema?.properties ?? {}).map(([name, property]) => [
        name,
        'enum' in property ? property.enum[0] : true,
      ]),
    )
    return { action: 'accept', content: content as Record<string, string> }
  })
  const headers = { Authorization: `Bearer ${token}` }
  await client.connect(
    transport instanceof URL
      ? new StreamableHTTPClientTransport(transport, { requestInit: { headers } })
      : transport,
  )
  onTestFinished(() => client.close())
  const names = async (): Promise<string[]> => (await client.listTools()).tools.map(({ name }) => name).sort()
  const call = async (name: string) => {
    const { isError = false, content } = await client.callTool({ name, arguments: { text: 'x' } })
    return { isError, text: (content as { text?: string }[]).map(({ text }) => text).join('\n') }
  }
  return { client, names, call, asked }
}

/** The gateway over HTTP, until the test ends. */
async function serve(place: Place, ...args: string[]) {
  const child = place.start(['serve', '--port', '0', '--json', ...args])
  const ended = new Promise((resolve) => child.once('close', resolve))
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await ended
  })
  const printed = await untilPrinted(child, /"url":"[^"]+".*\n/)
  const { url, token } = JSON.parse(printed.split('\n').find((line) => line.includes('"url"'))!)
  return { child, at: (path: string) => new URL(`${url}${path}`), token: String(token) }
}

async function expectSupport({ names, call, asked }: Awaited<ReturnType<typeof connect>>): Promise<void> {
  const [lookUp = '', tellAll = ''] = await names()
  expect([lookUp, tellAll]).toEqual([expect.stringMatching(/look-up$/), expect.stringMatching(/tell-all$/)])
  expect(await names()).toHaveLength(2)
  expect(await call(lookUp)).toEqual({ isError: false, text: '{"said":"look-up x"}' })
  await call(lookUp)
  expect(await call(lookUp)).toEqual({
    isError: true,
    text: expect.stringContaining(
      'this run has used up its 2 calls of the tool "aml.desk.look-up", the max_calls_per_run of the agent "support-agent"',
    ),
  })
  expect(asked).toEqual([])
  expect(await call(tellAll)).toMatchObject({ isError: false })
  expect(asked).toHaveLength(1)
  await expect(call(lookUp.replace('look-up', 'keep-out'))).rejects.toThrow('Unknown tool')
}

describe('[AML-AGENT-15] an agent file', () => {
  it('is a surface over HTTP, by its path', async () => {
    const place = desk()
    const { at, token } = await serve(place)
    await expectSupport(await connect(at('/support-agent'), token))
    expect(await (await connect(at(''), token)).names()).toContainEqual(expect.stringMatching(/keep-out$/))
    await expect(connect(at('/suport-agent'), token)).rejects.toThrow('did you mean "support-agent"')
  })

  it('is a surface over standard input and output', async () => {
    const place = desk()
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [bin, 'serve', '--stdio', '--surface', 'support-agent'],
      cwd: place.folder,
      env: { ...(process.env as Record<string, string>), ...place.env },
      stderr: 'ignore',
    })
    await expectSupport(await connect(transport))
  })

  it('is followed while it is served: changed, broken, removed and added', async () => {
    const place = desk()
    const { child, at, token } = await serve(place)
    const { client, names } = await connect(at('/support-agent'), token)
    expect(await names()).toHaveLength(2)
    const changed = (): Promise<void> =>
      new Promise((resolve) => {
        client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve())
      })
    let next = changed()
    place.put(
      'desk/agents/support-agent.agent.md',
      agentFile('support-agent', '  refs: [{ ref: "keep-out" }]\n'),
    )
    await next
    // One change may be announced twice, so the list is asked until it is the new one.
    await expect.poll(names, { timeout: 20_000 }).toEqual([expect.stringMatching(/keep-out$/)])
    next = changed()
    const reported = untilPrinted(child, /"state":"broken".*\n/)
    place.put(
      'desk/agents/support-agent.agent.md',
      agentFile('support-agent', '  refs: [{ ref: "keep-uot" }]\n'),
    )
    await next
    await expect.poll(names, { timeout: 20_000 }).toEqual([])
    expect(await reported).toContain('agents/support-agent.agent.md:5:17: There is no tool')
    await expect(connect(at('/support-agent'), token)).rejects.toThrow(
      /The agent \\?"support-agent\\?" has no surface: agents\/support-agent\.agent\.md:5:17/,
    )
    const gone = untilPrinted(child, /"state":"gone".*\n/)
    rmSync(join(place.folder, 'desk/agents/support-agent.agent.md'))
    place.put('desk/agents/new-agent.agent.md', agentFile('new-agent', '  refs: [{ ref: "look-up" }]\n'))
    await gone
    expect(await (await connect(at('/new-agent'), token)).names()).toEqual([
      expect.stringMatching(/look-up$/),
    ])
  })

  it('[AML-FILE-16] is checked again when a tool that it refers to changes', async () => {
    const place = desk()
    const { child, at, token } = await serve(place)
    const { names } = await connect(at('/support-agent'), token)
    expect(await names()).toHaveLength(2)
    const broken = untilPrinted(child, /"state":"broken".*\n/)
    place.put('desk/tools/look-up.tool.md', functionTool('look-up').replace('"active"', '"disabled"'))
    expect(await broken).toContain('The tool look-up is disabled')
    expect(await names()).toEqual([])
    const mended = untilPrinted(child, /"state":"ready".*\n/)
    place.put('desk/tools/look-up.tool.md', functionTool('look-up'))
    await mended
    expect(await names()).toHaveLength(2)
  })

  it('a surface of the config wins over an agent of its name, and that is reported', async () => {
    const place = desk(
      `${CONFIG}serve:\n  surfaces:\n    support-agent: { include: ['aml.desk.keep-out'] }\n`,
    )
    const child = place.start(['serve', '--port', '0'])
    const ended = new Promise((resolve) => child.once('close', resolve))
    const printed = await untilPrinted(child, /Ctrl-C ends it/)
    child.kill('SIGTERM')
    await ended
    expect(printed).toContain(
      'The agent "support-agent" of desk is not served under its name: the config has a surface "support-agent"; rename one of them, or use desk.support-agent.',
    )
    const { stdout } = await place.run(['doctor', '--json'])
    expect(stdout).toContain('is not served under its name')
  })
})

describe('an agent file on the command line', () => {
  it('tools --agent lists its tools and what it demands', async () => {
    const { run, put } = desk()
    put('desk/tools/keep-out.tool.md', functionTool('keep-out').replace('"active"', '"disabled"'))
    const { code, stdout } = await run(['tools', '--agent', 'support-agent'])
    expect(code).toBe(0)
    const lines = stdout.trimEnd().split('\n')
    expect(lines).toHaveLength(2)
    expect(lines[0]).toMatch(/aml\.desk\.look-up +reads, 2 a run/)
    expect(lines[1]).toMatch(/aml\.desk\.tell-all +reads, approval/)
    expect(await run(['tools', '--agent', 'suport-agent'])).toMatchObject({
      code: 2,
      stderr: 'There is no agent "suport-agent"; did you mean "support-agent"?\n',
    })
  })

  it('call --agent obeys its refs, approvals and limits, which count over commands of one session', async () => {
    const { run } = desk()
    const call = (tool: string, ...more: string[]) =>
      run(['call', '--agent', 'support-agent', '--session', 's1', tool, 'text=hi', ...more])
    expect(await call('look-up')).toMatchObject({ code: 0, stdout: '{"said":"look-up hi"}\n' })
    expect(await call('aml.desk.look-up')).toMatchObject({ code: 0 })
    expect(await call('look-up')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the max_calls_per_run of the agent "support-agent"'),
    })
    expect(await call('keep-out')).toMatchObject({ code: 1 })
    expect(await call('tell-all')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('This surface requires approval'),
    })
    expect(await call('tell-all', '--yes')).toMatchObject({ code: 0 })
  })

  it('doctor says why an agent has no surface', async () => {
    const place = desk()
    place.put(
      'desk/agents/support-agent.agent.md',
      agentFile('support-agent', '  refs: [{ ref: "gone-tool" }]\n'),
    )
    const { stdout } = await place.run(['doctor', '--json'])
    expect(JSON.parse(stdout)).toContainEqual(
      expect.objectContaining({
        check: 'agent support-agent',
        status: 'problem',
        message: expect.stringContaining('agents/support-agent.agent.md:5:17: There is no tool "gone-tool"'),
      }),
    )
  })
})
