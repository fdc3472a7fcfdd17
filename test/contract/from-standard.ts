import fc from 'fast-check'
import type { JsonSchema } from '../../src/contract/index.js'
import type { StandardSchema } from './standard-schemas.js'

const nastyNames = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'toolcrib',
  'scheduler',
  'timeout_ms',
]

/** Values that a schema of the standard accepts, for the few keywords that these schemas use. */
function valueOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum)
  if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map((type: string) => valueOf({ type })))
  switch (schema.type) {
    case undefined:
      return fc.jsonValue({ maxDepth: 2 })
    case 'string':
      return fc.string()
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return fc.integer()
    case 'number':
      return fc.double({
        noNaN: true,
        noDefaultInfinity: true,
        min: (schema.minimum as number | undefined) ?? -1e9,
        max: (schema.maximum as number | undefined) ?? 1e9,
      })
    case 'array':
      return fc.array(valueOf((schema.items ?? {}) as JsonSchema), { maxLength: 3 })
    case 'object':
      return fc.dictionary(
        fc.oneof(fc.string(), fc.constantFrom(...nastyNames)),
        fc.jsonValue({ maxDepth: 2 }),
        {
          maxKeys: 3,
          noNullPrototype: true, // a structured clone would give them the usual one
        },
      )
    default:
      throw new Error(`the standard now uses the type ${String(schema.type)}: teach it to this generator`)
  }
}

/** Records that the standard accepts, with unknown fields; `extraNames` are some to try among them. */
export function recordOf(
  schema: StandardSchema,
  extraNames: readonly string[],
): fc.Arbitrary<Record<string, unknown>> {
  const fields = Object.fromEntries(
    Object.entries(schema.properties).map(([name, node]) => [name, valueOf(node)]),
  )
  const names = fc
    .oneof(fc.string(), fc.constantFrom(...nastyNames, ...extraNames))
    .filter((name) => !Object.hasOwn(schema.properties, name))
  return fc
    .tuple(
      fc.record(fields, { requiredKeys: [...schema.required], noNullPrototype: true }),
      fc.array(fc.tuple(names, fc.jsonValue({ maxDepth: 2 })), { maxLength: 4 }),
    )
    .map(([known, extras]) => {
      const record: Record<string, unknown> = { ...known }
      // Assigning to `__proto__` would set the prototype instead of making a field.
      for (const [name, value] of extras) {
        Object.defineProperty(record, name, { value, enumerable: true, configurable: true, writable: true })
      }
      return record
    })
}
