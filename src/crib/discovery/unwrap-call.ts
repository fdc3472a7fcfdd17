import { isObject } from '../../platform/json/is-object.js'
import type { PipelinePorts } from '../../pipeline/ports.js'
import { snapshotJson } from '../../platform/json/snapshot-json.js'
import type { CatalogTool } from '../../catalog/catalog-tool.js'
import type { BuiltSurface } from '../../surfaces/build-surface.js'
import { CALL_TOOL_ID, isDiscoveryTool } from '../../surfaces/discovery-tool.js'
import { parseJson } from '../../platform/json/parse-json.js'

export interface NamedCall {
  name: string
  input?: unknown
}

/** A call, and the tool through which it was requested, if any. */
export type Unwrapped<Call extends NamedCall> = Call & { requestedVia?: string }

/** Every name of `tool.call` ends with "call", and few others do. Must be cheap: it runs in every call. */
export function mayBeWrapped(name: string): boolean {
  return name.endsWith('call')
}

/**
 * Turns a call of `tool.call` into the call of the tool that it names, so that no rule, hook or schema of that tool can
 * be bypassed. A call that names no other tool stays unchanged, and its schema rejects it.
 */
export function unwrapCall<Call extends NamedCall>(
  { catalog }: Pick<PipelinePorts, 'catalog'>,
  surface: BuiltSurface,
  options: Call,
): Unwrapped<Call> {
  const isWrapper = (name: string): boolean => {
    const resolved = catalog.resolve(name, (tool) => surface.visibilityOf(tool).state === 'loaded')
    return resolved !== undefined && 'found' in resolved && isCallTool(resolved.found)
  }
  if (!isWrapper(options.name) || !isOffered(catalog.get(CALL_TOOL_ID), surface)) return options
  const wrapped = readWrapped(options.input)
  if (!wrapped || (mayBeWrapped(wrapped.name) && isWrapper(wrapped.name))) return options
  return { ...options, name: wrapped.name, input: wrapped.input, requestedVia: CALL_TOOL_ID }
}

function isCallTool(tool: CatalogTool): boolean {
  return tool.toolId === CALL_TOOL_ID && isDiscoveryTool(tool)
}

function isOffered(tool: CatalogTool | undefined, surface: BuiltSurface): boolean {
  return tool !== undefined && surface.visibilityOf(tool).state === 'loaded'
}

function readWrapped(input: unknown): { name: string; input: unknown } | undefined {
  const value = typeof input === 'string' ? parseJson(input) : snapshot(input)
  if (!isObject(value)) return undefined
  const { name, arguments: given, ...others } = value as Record<string, unknown>
  if (typeof name !== 'string' || name === '' || Object.keys(others).length > 0) return undefined
  return { name, input: given }
}

function snapshot(input: unknown): unknown {
  const taken = snapshotJson(input)
  return 'notJson' in taken ? undefined : taken.value
}
