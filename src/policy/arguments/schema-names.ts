import { readName, type NameKind } from './path-names.js'

const PATH_FORMATS = new Set([
  'path',
  'file-path',
  'filepath',
  'file',
  'filename',
  'directory',
  'dir',
  'folder',
])
const URI_FORMATS = new Set(['uri', 'url', 'iri'])
const MAYBE_FORMATS = new Set(['uri-reference', 'iri-reference', 'uri-template'])

const DESCRIBES_PATH =
  /\b(?:file|folder|director(?:y|ies))s?['’]?\s?(?:path|name|location)|\bpaths?\s+(?:to|of|for)\b|\b(?:absolute|relative|full|local)\s+paths?\b/i

/** Deeper or longer schemas are not read further; names in the arguments themselves are read in any case. */
const MAX_NODES = 20_000

export interface SchemaNames {
  /** Arguments that are paths by format or description, independent of their names. */
  readonly kinds: ReadonlyMap<string, NameKind>
  /** Whether any argument is certainly a path. */
  readonly hasPaths: boolean
}

/**
 * What a schema says about its arguments, by name alone: wherever a name occurs in it, behind `$ref`, in lists and
 * among alternatives, the same name means the same in a call.
 */
export function readSchemaNames(...schemas: readonly unknown[]): SchemaNames {
  const kinds = new Map<string, NameKind>()
  const seen = new Set<object>()
  const open: { node: unknown; name: string | undefined }[] = schemas.map((node) => ({
    node,
    name: undefined,
  }))
  let hasPaths = false
  for (let at = 0; at < open.length && at < MAX_NODES; at++) {
    const { node, name } = open[at]!
    if (typeof node !== 'object' || node === null) continue
    if (name !== undefined) {
      const byName = readName(name).kind
      const kind = stronger(byName, kindOfSchema(node))
      hasPaths ||= kind === 'path'
      if (kind !== undefined && kind !== byName) kinds.set(name, stronger(kinds.get(name), kind)!)
    }
    // The name is read at each place where it occurs; the schema below it is the same each time.
    if (seen.has(node)) continue
    seen.add(node)
    for (const [key, below] of Object.entries(node)) {
      if (key === 'properties' || key === 'patternProperties') open.push(...named(below))
      else if (typeof below === 'object')
        open.push({ node: below, name: HOLDS_SAME.has(key) ? name : undefined })
    }
  }
  return { kinds, hasPaths }
}

/** These keywords describe the same argument, or the members of the list that it is. */
const HOLDS_SAME = new Set([
  'items',
  'prefixItems',
  'anyOf',
  'oneOf',
  'allOf',
  'then',
  'else',
  '0',
  '1',
  '2',
  '3',
])

function named(properties: unknown): { node: unknown; name: string }[] {
  if (typeof properties !== 'object' || properties === null) return []
  return Object.entries(properties).map(([name, node]) => ({ node: node as unknown, name }))
}

function kindOfSchema(node: object): NameKind | undefined {
  const { format, description }: { format?: unknown; description?: unknown } = node
  if (typeof format === 'string') {
    const said = format.toLowerCase()
    if (PATH_FORMATS.has(said)) return 'path'
    if (MAYBE_FORMATS.has(said)) return 'maybe'
    if (URI_FORMATS.has(said)) return 'uri'
  }
  return typeof description === 'string' && DESCRIBES_PATH.test(description) ? 'maybe' : undefined
}

const STRENGTH = { path: 3, maybe: 2, uri: 1 } as const

function stronger(a: NameKind | undefined, b: NameKind | undefined): NameKind | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return STRENGTH[a] >= STRENGTH[b] ? a : b
}
