import { isJsonObject, type JsonObject } from '../protocol/json-rpc.js'
import type { LeftOut } from './list-pages.js'
import { safeToolName, serverNamespace } from './safe-name.js'
import { parseTool } from './tool-definition.js'

/** What is wrong with a list and cannot be seen from the tools that were made of it. */
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

const NO_OBJECT = 'Its input schema is none of an object, so that only objects are told from what is none.'

function sayTwice(isSame: boolean): string {
  return isSame
    ? 'The server lists this name twice; the first counts.'
    : 'Two names of the server come out as this one here; the first counts.'
}

/** The protocol wants an object there; what is absent counts as one that takes anything. */
function takesObjects(schema: unknown): boolean {
  if (schema === undefined) return true
  if (!isJsonObject(schema)) return false
  const { type } = schema
  return type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'))
}
