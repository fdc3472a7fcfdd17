import { formatOf, type ToolFormat } from './formats.js'
import type { ProviderCall } from './provider-format.js'

/** A provider's tool call as `crib.call` takes it: `crib.call(surface, fromToolCall('anthropic', block))`. */
export function fromToolCall(format: ToolFormat, call: unknown): ProviderCall {
  return readCall('fromToolCall', format, call)
}

/** Throws one sentence where it is no call of this format. */
export function readCall(where: string, format: ToolFormat, call: unknown): ProviderCall {
  const adapter = formatOf(where, format)
  const isObject = typeof call === 'object' && call !== null && !Array.isArray(call)
  const read = isObject ? adapter.fromCall(call as Record<string, unknown>) : undefined
  if (read) return read
  throw new TypeError(`${where}: a tool call of the format "${format}" is ${adapter.callShape}.`)
}
