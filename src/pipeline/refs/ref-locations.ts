import { isKeptRef } from '../../contract/kept-ref.js'
import type { DraftInput, RefUse } from '../../catalog/tool-draft.js'

/** `write`: a path that is written. `judged`: rules match the exact text of the field. */
export type LocationUse = RefUse | 'write' | 'judged'

export interface RefLocation {
  ref: string
  use: LocationUse
  /** The schema of the field; undefined if there is none. */
  schema: unknown
}

/** Whether any text in an input is a ref to stored content. */
export function hasRef(value: unknown): boolean {
  if (typeof value === 'string') return isKeptRef(value)
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some(hasRef)
  for (const key in value) if (hasRef((value as Record<string, unknown>)[key])) return true
  return false
}

export function refLocationsIn(input: unknown, tool: DraftInput): RefLocation[] {
  const locations: RefLocation[] = []
  replaceRefs(input, tool, (location) => {
    locations.push(location)
    return location.ref
  })
  return locations
}

/** Replaces the refs of an input. */
export function replaceRefs(
  input: unknown,
  tool: DraftInput,
  put: (location: RefLocation) => unknown,
): unknown {
  function walk(value: unknown, path: string, schema: unknown): unknown {
    if (typeof value === 'string')
      return isKeptRef(value) ? put({ ref: value, use: useAt(path, tool), schema }) : value
    if (typeof value !== 'object' || value === null || !hasRef(value)) return value
    // A list adds no step to a path, as elsewhere.
    if (Array.isArray(value)) return value.map((item) => walk(item, path, memberOf(schema, 'items')))
    const fields = memberOf(schema, 'properties')
    const below = (key: string): string => (path === '' ? key : `${path}.${key}`)
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, walk(member, below(key), memberOf(fields, key))]),
    )
  }
  return walk(input, '', tool.modelSchema)
}

/** A path to read becomes a file, anything else the content, unless the tool declares otherwise. */
function useAt(path: string, tool: DraftInput): LocationUse {
  const declared = declaredUseAt(path, tool.refs)
  // The executor gets the exact text that was judged.
  if (declared === 'keep') return 'keep'
  const { pathFields, urlFields, commandField, internalOnlyFields } = tool
  const meets = (field: string | undefined): boolean =>
    field !== undefined && (isAtOrBelow(path, field) || isAbove(path, field))
  if ([commandField?.field, commandField?.cwd, ...urlFields, ...internalOnlyFields].some(meets))
    return 'judged'
  const paths = pathFields.filter(({ field }) => meets(field))
  if (paths.some(({ access }) => access === 'write')) return 'write'
  // Content in place of an object with a path field would bring an unjudged path.
  if (paths.some(({ field }) => isAbove(path, field))) return 'judged'
  return paths.length > 0 ? 'file' : (declared ?? 'content')
}

function declaredUseAt(path: string, refs: DraftInput['refs']): RefUse | undefined {
  if (refs === undefined || typeof refs === 'string') return refs
  for (let at = path; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('.'))))
    if (Object.hasOwn(refs, at)) return refs[at]
  return undefined
}

const isAtOrBelow = (path: string, field: string): boolean => path === field || path.startsWith(`${field}.`)

const isAbove = (path: string, field: string): boolean => path === '' || field.startsWith(`${path}.`)

function memberOf(schema: unknown, name: string): unknown {
  return typeof schema === 'object' && schema !== null && Object.hasOwn(schema, name)
    ? Reflect.get(schema, name)
    : undefined
}

/** Whether a schema accepts values of this type. It does unless it says otherwise. */
export function admits(schema: unknown, type: 'object' | 'array'): boolean {
  if (schema === false) return false
  const types = memberOf(schema, 'type')
  if (typeof types === 'string' && types !== type) return false
  if (Array.isArray(types) && !types.includes(type)) return false
  for (const either of ['anyOf', 'oneOf']) {
    const ways = memberOf(schema, either)
    if (Array.isArray(ways) && !ways.some((way) => admits(way, type))) return false
  }
  const all = memberOf(schema, 'allOf')
  return !Array.isArray(all) || all.every((each) => admits(each, type))
}
