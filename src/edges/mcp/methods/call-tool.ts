import { isJsonObject, type JsonObject } from '../../../sources/mcp/protocol/json-rpc.js'
import { findTool } from '../tools/find-tool.js'
import type { Exchange } from '../gateway.js'
import { invalidParams } from '../invalid-params.js'
import type { Connection } from '../connection.js'
import { namedCall } from '../calls/waiting-calls.js'
import { takesTasks } from '../tasks/takes-tasks.js'
import { resumePast } from '../tasks/resume-past.js'
import { startCall, type CallRequest } from '../calls/start-call.js'

export async function callTool(
  params: JsonObject,
  exchange: Exchange,
  connection: Connection,
): Promise<JsonObject> {
  const { name, arguments: input, requestState } = params
  // Before anything else: what is no text might be one thing to whoever checks it and another to whoever runs it.
  if (typeof name !== 'string') throw invalidParams('"name" must be the name of a tool.')
  if (requestState !== undefined && exchange.era === 'modern')
    return connection.gateway.held.resume({ method: 'tools/call', params, exchange, connection })
  const tool = connection.names.find(name) ?? (await findTool(name, connection))
  if (input !== undefined && !isJsonObject(input)) throw invalidParams('"arguments" must be an object.')
  const request = { tool, input, params, exchange, connection }
  const { waiting, tasks } = connection.gateway
  const before = waiting.find(request)
  if (before) return waiting.attach(before, request)
  const named = namedCall(exchange)
  if (named !== undefined) return resumeNamed(named, request)
  if (exchange.era === 'legacy' && isJsonObject(params['task'])) return tasks.create(request)
  const started = startCall(request)
  const answer = started.work.attach(exchange)
  if (takesTasks(exchange)) tasks.becomeLater(started, request)
  return answer
}

/** Who names a call goes on with that one, and with no other. */
async function resumeNamed(id: string, request: CallRequest): Promise<JsonObject> {
  const resumed = await resumePast(id, request)
  if (!resumed) throw invalidParams(`There is no call ${id} of this tool; make the call without naming it.`)
  return resumed.result
}
