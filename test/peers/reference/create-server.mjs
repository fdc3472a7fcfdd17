import { McpServer, ProtocolError, fromJsonSchema } from '@modelcontextprotocol/server'
import { askingTools } from './asking-tools.mjs'
import { plainTools } from './plain-tools.mjs'
import { registerPrompts } from './prompts.mjs'
import { registerResources } from './resources.mjs'
import { taskTools } from './task-tools.mjs'
import { TASKS, registerTaskMethods } from './tasks.mjs'

const tools = { ...plainTools, ...askingTools, ...taskTools }
const toggledTool = { description: 'Comes and goes', run: () => ({ content: [] }) }
const empty = { type: 'object', properties: {} }

/** What outlives a single request: what was toggled, and who is told. */
export function createServerState() {
  const state = { tool: false, prompt: false, touched: 0 }
  const listeners = new Set()
  const tell = (change) => listeners.forEach((listener) => listener(change))
  return {
    state,
    toggle: (what) => {
      state[what] = !state[what]
      tell({ kind: what })
    },
    touch: (uri) => {
      state.touched += 1
      tell({ kind: 'resource', uri })
    },
    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export function createReferenceServer(shared, era) {
  const mcp = new McpServer(
    { name: 'reference-server', version: '1.0.0' },
    {
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
        completions: {},
        logging: {},
        ...(era === 'modern' && { extensions: { [TASKS]: {} } }),
      },
    },
  )
  const { server } = mcp
  registerTools(mcp, shared)
  registerPrompts(server, shared)
  registerResources(server, shared)
  registerTaskMethods(server)
  if (era === 'legacy') followChanges(server, shared)
  return mcp
}

function registerTools(mcp, shared) {
  const listed = shared.state.tool ? { ...tools, test_toggled_tool: toggledTool } : tools
  // Registered, though the call is handled below: the transport checks headers against what is registered.
  for (const [name, { description, inputSchema = empty }] of Object.entries(listed))
    mcp.registerTool(name, { description, inputSchema: fromJsonSchema(inputSchema) }, () => ({ content: [] }))
  mcp.server.setRequestHandler('tools/list', () => ({
    tools: Object.entries(shared.state.tool ? { ...tools, test_toggled_tool: toggledTool } : tools).map(
      ([name, { description, inputSchema = empty }]) => ({ name, description, inputSchema }),
    ),
  }))
  mcp.server.setRequestHandler('tools/call', (request, context) => {
    const { name, arguments: input = {} } = request.params
    const tool = tools[name] ?? (shared.state.tool && name === 'test_toggled_tool' ? toggledTool : undefined)
    if (tool) return tool.run(input, context, { server: mcp.server, shared })
    throw new ProtocolError(-32602, `There is no tool ${name}.`)
  })
}

/** Sessions hear of changes by themselves; modern clients listen for them. */
function followChanges(server, shared) {
  const watched = new Set()
  server.setRequestHandler('resources/subscribe', (request) => {
    watched.add(request.params.uri)
    return {}
  })
  server.setRequestHandler('resources/unsubscribe', (request) => {
    watched.delete(request.params.uri)
    return {}
  })
  const ignore = () => {}
  const leave = shared.onChange((change) => {
    if (change.kind === 'tool') server.sendToolListChanged().catch(ignore)
    else if (change.kind === 'prompt') server.sendPromptListChanged().catch(ignore)
    else if (watched.has(change.uri)) server.sendResourceUpdated({ uri: change.uri }).catch(ignore)
  })
  server.onclose = leave
}
