import { isObject } from '../../../platform/json/is-object.js'
import type { JsonObject } from '../../../sources/mcp/protocol/json-rpc.js'
import { findTool } from '../tools/find-tool.js'
import type { Exchange } from '../gateway.js'
import { invalidParams } from '../invalid-params.js'
import type { ServedConnection } from '../served-connection.js'
import { namedCall } from '../calls/waiting-calls.js'
import { takesTasks } from '../tasks/takes-tasks.js'
import { resumePast } from '../tasks/resume-past.js'
import type { CallRequest } from '../calls/call-request.js'
import { startCall, type StartRequest } from '../calls/start-call.js'

export async function callTool(
  params: JsonObject,
  exchange: Exchange,
  connection: ServedConnection,
): Promise<JsonObject> {
  const { name, arguments: input, requestState } = params
  // Checked first: two parts of the system could convert a name that is not a string to different strings.
  if (typeof name !== 'string') throw invalidParams('"name" must be the name of a tool.')
  if (requestState !== undefined && exchange.era === 'modern')
    return connection.gateway.pendingWork.resume({ method: 'tools/call', params, exchange, connection })
  const tool = connection.names.find(name) ?? (await findTool(name, connection))
  if (input !== undefined && !isObject(input)) throw invalidParams('"arguments" must be an object.')
  const request = { tool, input, params, exchange, connection }
  const { waiting, tasks } = connection.gateway
  const before = waiting.find(request)
  if (before) return waiting.attach(before, request)
  const named = namedCall(exchange)
  if (named !== undefined) return resumeNamed(named, request)
  if (exchange.era === 'legacy' && isObject(params['task'])) return startTask(request)
  const started = startCall(request)
  const answer = started.work.attach(exchange)
  if (takesTasks(exchange)) tasks.convertLater(started, request)
  return answer
}

function startTask(request: StartRequest): Promise<JsonObject> {
  const { tasks } = request.connection.gateway
  return tasks.create(request, () => startCall(request, { inBackground: true }))
}

/** A client that names a call gets the result of that call and of no other. */
async function resumeNamed(id: string, request: CallRequest): Promise<JsonObject> {
  const resumed = await resumePast(id, request)
  if (!resumed) throw invalidParams(`There is no call ${id} of this tool; make the call without naming it.`)
  return resumed.result
}
