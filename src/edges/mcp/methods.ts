import type { Era } from '../../sources/mcp/protocol/revisions.js'
import { callTool } from './methods/call-tool.js'
import { completeArgument } from './methods/complete.js'
import { listTools } from './methods/list-tools.js'
import { setLogLevel } from './methods/logging.js'
import { getPrompt, listPrompts } from './methods/prompts.js'
import {
  listResources,
  listResourceTemplates,
  readResource,
  subscribe,
  unsubscribe,
} from './methods/resources.js'
import { cancelTask, getTask, getTaskResult, listTasks, updateTask } from './methods/tasks.js'
import type { Method } from './served-connection.js'

const both: readonly (readonly [string, Method])[] = [
  ['tools/list', listTools],
  ['tools/call', callTool],
  ['resources/list', listResources],
  ['resources/templates/list', listResourceTemplates],
  ['resources/read', readResource],
  ['prompts/list', listPrompts],
  ['prompts/get', getPrompt],
  ['completion/complete', completeArgument],
]

const legacy: ReadonlyMap<string, Method> = new Map([
  ...both,
  ['resources/subscribe', subscribe],
  ['resources/unsubscribe', unsubscribe],
  ['logging/setLevel', setLogLevel],
  ['tasks/get', getTask],
  ['tasks/result', getTaskResult],
  ['tasks/list', listTasks],
  ['tasks/cancel', cancelTask],
])
const modern: ReadonlyMap<string, Method> = new Map([
  ...both,
  ['tasks/get', getTask],
  ['tasks/update', updateTask],
  ['tasks/cancel', cancelTask],
])

export function methodsOf(era: Era): ReadonlyMap<string, Method> {
  return era === 'modern' ? modern : legacy
}
