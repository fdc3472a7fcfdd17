import { isObject } from '../../../platform/json/is-object.js'
import type { JsonObject } from '../protocol/json-rpc.js'
import type { LeftOut } from './list-pages.js'
import { safeToolName, serverNamespace } from './safe-name.js'
import { parseTool } from './tool-definition.js'

/** A problem of a list that cannot be seen in the tools made from it. */
export interface ServerNote {
  readonly rule: 'duplicate_name' | 'no_name' | 'left_out' | 'schema_unusable'
  readonly toolId: string
  readonly message: string
}

export function listNotes(
  list: readonly JsonObject[],
  server: string,
  leftOut: readonly LeftOut[] = [],
): ServerNote[] {
  const namespace = serverNamespace(server)
  const idOf = (name: string): string => `${namespace}.${safeToolName(name)}`
  const seen = new Map<string, string>()
  const notes = leftOut.map(({ name, why }): ServerNote => ({
    rule: 'left_out',
    toolId: name === undefined ? namespace : idOf(name),
    message: `A tool of the server is left out: it ${why}.`,
  }))
  for (const raw of list) {
    const name = parseTool(raw)?.name
    if (name === undefined) {
      notes.push({ rule: 'no_name', toolId: namespace, message: 'The server lists a tool without a name.' })
      continue
    }
    const toolId = idOf(name)
    const before = seen.get(toolId)
    if (before !== undefined)
      notes.push({ rule: 'duplicate_name', toolId, message: sayTwice(before === name) })
    else if (!takesObjects(raw['inputSchema']))
      notes.push({ rule: 'schema_unusable', toolId, message: NO_OBJECT })
    seen.set(toolId, before ?? name)
  }
  return notes
}

const NO_OBJECT = 'Its input schema does not describe an object, so that its input is only checked to be one.'

function sayTwice(isSame: boolean): string {
  return isSame
    ? 'The server lists this name twice; the first counts.'
    : 'Two names of the server are converted to this one; the first counts.'
}

/** The protocol requires an object schema; an absent one accepts anything. */
function takesObjects(schema: unknown): boolean {
  if (schema === undefined) return true
  if (!isObject(schema)) return false
  const { type } = schema
  return type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'))
}
