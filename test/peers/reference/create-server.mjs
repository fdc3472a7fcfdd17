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
export function createHouse() {
  const state = { tool: false, prompt: false, touched: 0 }
  const listeners = new Set()
  const tell = (news) => listeners.forEach((listener) => listener(news))
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
    onNews: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export function createReferenceServer(house, era) {
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
  registerTools(mcp, house)
  registerPrompts(server, house)
  registerResources(server, house)
  registerTaskMethods(server)
  if (era === 'legacy') followNews(server, house)
  return mcp
}

function registerTools(mcp, house) {
  const listed = house.state.tool ? { ...tools, test_toggled_tool: toggledTool } : tools
  // Registered, though the call is handled below: the transport checks headers against what is registered.
  for (const [name, { description, inputSchema = empty }] of Object.entries(listed))
    mcp.registerTool(name, { description, inputSchema: fromJsonSchema(inputSchema) }, () => ({ content: [] }))
  mcp.server.setRequestHandler('tools/list', () => ({
    tools: Object.entries(house.state.tool ? { ...tools, test_toggled_tool: toggledTool } : tools).map(
      ([name, { description, inputSchema = empty }]) => ({ name, description, inputSchema }),
    ),
  }))
  mcp.server.setRequestHandler('tools/call', (request, context) => {
    const { name, arguments: input = {} } = request.params
    const tool = tools[name] ?? (house.state.tool && name === 'test_toggled_tool' ? toggledTool : undefined)
    if (tool) return tool.run(input, context, { server: mcp.server, house })
    throw new ProtocolError(-32602, `There is no tool ${name}.`)
  })
}

/** Sessions hear of changes by themselves; modern clients listen for them. */
function followNews(server, house) {
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
  const leave = house.onNews((news) => {
    if (news.kind === 'tool') server.sendToolListChanged().catch(ignore)
    else if (news.kind === 'prompt') server.sendPromptListChanged().catch(ignore)
    else if (watched.has(news.uri)) server.sendResourceUpdated({ uri: news.uri }).catch(ignore)
  })
  server.onclose = leave
}
