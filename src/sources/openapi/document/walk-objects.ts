type JsonObject = Readonly<Record<string, unknown>>

/** Members that hold data: what looks like a reference there is none. Callbacks and links are not compiled. */
const SKIPPED = new Set(['example', 'default', 'enum', 'const', 'callbacks', 'webhooks', 'links'])
/** Members whose own members are named freely. */
const MAPS = new Set([
  '$defs',
  'content',
  'definitions',
  'dependentSchemas',
  'encoding',
  'headers',
  'mediaTypes',
  'parameters',
  'pathItems',
  'paths',
  'patternProperties',
  'properties',
  'requestBodies',
  'responses',
  'schemas',
  'securityDefinitions',
  'securitySchemes',
])

/** `examples`: a map of objects that may be references, with data in them. As a list, it is data. */
type Kind = 'object' | 'map' | 'examples'

/** Visits each object of a document once, without its data and extensions. */
export function walkObjects(document: unknown, visit: (part: JsonObject) => void): void {
  const seen = new Set<object>()
  const open: { part: unknown; kind: Kind }[] = [{ part: document, kind: 'object' }]
  for (let next = open.pop(); next; next = open.pop()) {
    const { part, kind } = next
    if (typeof part !== 'object' || part === null || seen.has(part)) continue
    seen.add(part)
    if (Array.isArray(part)) {
      if (kind !== 'examples') for (const each of part) open.push({ part: each, kind: 'object' })
      continue
    }
    if (kind === 'object') visit(part as JsonObject)
    for (const [name, value] of Object.entries(part)) {
      if (kind === 'examples') visitReference(value, visit)
      else if (kind === 'map') open.push({ part: value, kind: 'object' })
      else if (!SKIPPED.has(name) && !name.startsWith('x-')) open.push({ part: value, kind: kindOf(name) })
    }
  }
}

function kindOf(name: string): Kind {
  return name === 'examples' ? 'examples' : MAPS.has(name) ? 'map' : 'object'
}

function visitReference(value: unknown, visit: (part: JsonObject) => void): void {
  const reference = typeof value === 'object' && value !== null && '$ref' in value ? value.$ref : undefined
  if (typeof reference === 'string') visit({ $ref: reference })
}
