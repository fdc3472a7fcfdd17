import { isObject } from '../../platform/json/is-object.js'
import { formatOf, type ToolFormat } from './formats.js'
import type { ProviderCall } from './provider-format.js'

/** A provider's tool call as `crib.call` takes it: `crib.call(surface, fromToolCall('anthropic', block))`. */
export function fromToolCall(format: ToolFormat, call: unknown): ProviderCall {
  return readCall('fromToolCall', format, call)
}

/** Throws if it is no call of this format. */
export function readCall(where: string, format: ToolFormat, call: unknown): ProviderCall {
  const adapter = formatOf(where, format)
  const read = isObject(call) ? adapter.fromCall(call) : undefined
  if (read) return read
  throw new TypeError(`${where}: a tool call of the format "${format}" is ${adapter.callShape}.`)
}
