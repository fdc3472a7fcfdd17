import { isObject } from '../../../platform/json/is-object.js'
import type { Located, References } from '../document/references.js'
import type { Schemas } from './schema/create-schemas.js'

export type JsonObject = Readonly<Record<string, unknown>>

/** An object of the document, with the base of its references and its position for problems. */
export interface Part {
  readonly value: JsonObject
  readonly base: string
  readonly at: string
}

/** What every step of compiling uses. */
export interface DocumentReader {
  /** `2.0`, `3.0`, `3.1`, `3.2`. */
  readonly dialect: string
  /** Where the document was loaded from. */
  readonly address: string
  readonly root: Part
  readonly references: References
  readonly schemas: Schemas
  problem(at: string, message: string): void
}

type ReferenceReader = Pick<DocumentReader, 'references' | 'problem'>

/** The object at a member, through references; undefined where there is none. */
export function partAt(reader: ReferenceReader, { value, base, at }: Part, name: string): Part | undefined {
  const member = Object.hasOwn(value, name) ? value[name] : undefined
  if (member === undefined) return undefined
  return toPart(reader, { value: member, base, at: `${at}/${escapePointer(name)}` })
}

/** Like `partAt`; a member without a value, as YAML allows it, is an empty object. */
export function partOrEmptyAt(reader: ReferenceReader, part: Part, name: string): Part | undefined {
  const { value, base, at } = part
  if (Object.hasOwn(value, name) && value[name] === null)
    return { value: {}, base, at: `${at}/${escapePointer(name)}` }
  return partAt(reader, part, name)
}

export function toPart(
  { references, problem }: ReferenceReader,
  { value, base, at }: Located & { at: string },
): Part | undefined {
  const found = references.follow({ value, base })
  if (!found) {
    const reference = (value as JsonObject)['$ref'] as string
    problem(at, `its reference ${JSON.stringify(reference.slice(0, 300))} leads nowhere`)
    return undefined
  }
  if (!isObject(found.value)) return undefined
  return { value: withSaid(found.value, value), base: found.base, at }
}

/** Since 3.1, a summary and a description beside a reference replace those of its target. */
function withSaid(target: JsonObject, value: unknown): JsonObject {
  if (value === target || !isObject(value)) return target
  const { summary, description } = value
  return {
    ...target,
    ...(typeof summary === 'string' && { summary }),
    ...(typeof description === 'string' && { description }),
  }
}

/** The objects in a list, through references. */
export function partsIn(reader: DocumentReader, part: Part, name: string): Part[] {
  const list = part.value[name]
  if (!Array.isArray(list)) return []
  return list.flatMap(
    (value: unknown, index) =>
      toPart(reader, { value, base: part.base, at: `${part.at}/${name}/${index}` }) ?? [],
  )
}

export function textAt({ value }: Pick<Part, 'value'>, name: string): string | undefined {
  const member = value[name]
  return typeof member === 'string' && member.trim() !== '' ? member : undefined
}

export function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : []
}

export function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}
