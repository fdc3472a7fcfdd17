import type { ParameterStyle } from '../http-operation.js'

/** How the names and values of a parameter are written. */
export interface Notation {
  /** The parameter's name, as it is written. */
  readonly name: string
  readonly key: (text: string) => string
  readonly value: (text: string) => string
  readonly explode: boolean
  /** Between the values of a list or an object that is not exploded. */
  readonly delimiter: string
  readonly isDeep: boolean
  /** Whether null is written as an empty value; else it is left out. */
  readonly keepsNull: boolean
}

/** Between values, where it is not a comma. */
export const DELIMITERS: Readonly<Partial<Record<ParameterStyle, string>>> = {
  spaceDelimited: ' ',
  pipeDelimited: '|',
  tabDelimited: '\t',
}

export type Pair = readonly [name: string, value: string]

/** The pairs of a value in the styles that write names. Empty where there is nothing to write. */
export function expandPairs(notation: Notation, value: unknown): Pair[] {
  const { name, explode, delimiter, isDeep, keepsNull } = notation
  if (typeof value !== 'object') return [[name, notation.value(toText(value))]]
  if (value === null) return keepsNull ? [[name, '']] : []
  if (isDeep) return deepPairs(notation, value)
  if (Array.isArray(value)) {
    const items = writeItems(notation, value)
    if (explode) return items.map((item) => [name, item])
    return items.length === 0 ? [] : [[name, items.join(delimiter)]]
  }
  const members = writeMembers(notation, value)
  if (explode) return members
  return members.length === 0 ? [] : [[name, members.flat().join(delimiter)]]
}

/** The items of a list, as they are written. */
export function writeItems(notation: Notation, list: readonly unknown[]): string[] {
  return list.filter(isDefined).map((item) => notation.value(toText(item)))
}

/** The members of an object, as they are written. */
export function writeMembers(notation: Notation, value: object): Pair[] {
  return Object.entries(value)
    .filter(([, member]) => isDefined(member))
    .map(([name, member]) => [notation.key(name), notation.value(toText(member))])
}

/** A list or an object inside another has no notation in a style: it is written as JSON. */
export function toText(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** RFC 6570 leaves out members without a value. */
export function isDefined(value: unknown): boolean {
  return value !== null && value !== undefined
}

function deepPairs(notation: Notation, value: object): Pair[] {
  return Object.entries(value).flatMap(([key, member]) =>
    deepMember({ ...notation, name: notation.name + notation.key(`[${key}]`) }, member),
  )
}

function deepMember(notation: Notation, member: unknown): Pair[] {
  const { name } = notation
  if (!isDefined(member)) return []
  if (typeof member !== 'object') return [[name, notation.value(toText(member))]]
  if (Array.isArray(member) && member.every((item) => typeof item !== 'object' || item === null))
    return writeItems(notation, member).map((item) => [name, item])
  return deepPairs(notation, member as object)
}
