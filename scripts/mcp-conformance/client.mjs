// The client under test of the protocol's conformance suite: our own connection, driven as the scenarios expect.
// Usage: node scripts/mcp-conformance/client.mjs <server url>, after a build.
import { connect } from '../../dist/sources/mcp/connection/connect.js'
import { headerFields } from '../../dist/sources/mcp/header-fields.js'
import { suiteCredentials } from './auth-credentials.mjs'

const url = process.argv.at(-1)
const protocolVersion = process.env['MCP_CONFORMANCE_PROTOCOL_VERSION']
const scenario = process.env['MCP_CONFORMANCE_SCENARIO'] ?? ''
const context = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}')

/** Answers as a person would who takes every default and agrees. */
const client = {
  capabilities: {
    elicitation: { form: { applyDefaults: true } },
    sampling: {},
    roots: { listChanged: false },
  },
  wantsProgress: false,
  notify() {},
  async ask(questions) {
    return Object.fromEntries(Object.entries(questions).map(([key, question]) => [key, answerTo(question)]))
  },
}

function answerTo({ method, params }) {
  if (method === 'roots/list') return { roots: [] }
  if (method === 'sampling/createMessage')
    return { role: 'assistant', model: 'none', content: { type: 'text', text: 'A sample.' } }
  return { action: 'accept', content: sampleOf(params?.requestedSchema, { required: false }) ?? {} }
}

/** A value that fits a schema: its default where it has one. */
function sampleOf(schema, { required = true } = {}) {
  if (schema === undefined || typeof schema !== 'object') return {}
  if ('default' in schema) return schema.default
  if (schema.enum) return schema.enum[0]
  switch (schema.type) {
    case 'string':
      return 'text'
    case 'number':
    case 'integer':
      return schema.minimum ?? 1
    case 'boolean':
      return true
    case 'array':
      return []
    default: {
      const wanted = Object.entries(schema.properties ?? {}).filter(
        ([name, member]) => (required && schema.required?.includes(name)) || 'default' in member || !required,
      )
      return Object.fromEntries(wanted.map(([name, member]) => [name, sampleOf(member)]))
    }
  }
}

async function listAll(connection, method, member) {
  const all = []
  let cursor
  do {
    const { result } = await connection.request(method, cursor === undefined ? {} : { cursor }, { client })
    all.push(...(result[member] ?? []))
    cursor = result.nextCursor
  } while (cursor !== undefined)
  return all
}

/** One thing that fails must not keep the others from being tried. */
async function attempt(what, work) {
  try {
    return await work()
  } catch (error) {
    console.error(`${what}: ${error.message}`)
    // A server that answers with an error has answered.
    if (typeof error.code !== 'number') process.exitCode = 1
    return undefined
  }
}

const connection = await connect({
  name: 'conformance',
  settings: { url, type: 'http', ...(protocolVersion === undefined ? {} : { protocolVersion }) },
  clientInfo: { name: 'toolcrib', version: '0.1.0' },
  signal: AbortSignal.timeout(20_000),
  ...(scenario.startsWith('auth/') && { credentials: suiteCredentials(url, { scenario, ...context }) }),
  onNotification() {},
})

const { capabilities } = connection.facts
const tools = (await attempt('tools/list', () => listAll(connection, 'tools/list', 'tools'))) ?? []
const offered = tools.filter((tool) => headerFields(tool.inputSchema ?? {}).kind === 'fields')
/** One tool of the suite wants the schema of another, as it arrived here. */
const inputFor = (tool) =>
  tool.name === 'json_schema_echo'
    ? { schema: offered.find(({ name }) => name !== tool.name)?.inputSchema }
    : sampleOf(tool.inputSchema)
const calls = context.toolCalls ?? offered.map((tool) => ({ name: tool.name, arguments: inputFor(tool) }))
await Promise.all(
  calls.map((call) => {
    const inputSchema = offered.find((tool) => tool.name === call.name)?.inputSchema
    const signal = AbortSignal.timeout(15_000)
    return attempt(`tools/call ${call.name}`, () =>
      connection.request('tools/call', call, { client, inputSchema, signal }),
    )
  }),
)
if (capabilities.resources) {
  const [first] =
    (await attempt('resources/list', () => listAll(connection, 'resources/list', 'resources'))) ?? []
  if (first)
    await attempt('resources/read', () =>
      connection.request('resources/read', { uri: first.uri }, { client }),
    )
}
if (capabilities.prompts) {
  const [first] = (await attempt('prompts/list', () => listAll(connection, 'prompts/list', 'prompts'))) ?? []
  if (first)
    await attempt('prompts/get', () => connection.request('prompts/get', { name: first.name }, { client }))
}
await connection.close()
