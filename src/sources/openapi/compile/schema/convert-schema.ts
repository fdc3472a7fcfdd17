import type { JsonSchema } from '../../../../contract/json-schema.js'
import { isObject } from '../../../../platform/json/is-object.js'
import { idOf, type Located, type References, type Target } from '../../document/references.js'
import { finishSchema } from './finish-schema.js'
import type { HiddenMembers } from './hidden-members.js'
import { countOf, dataOf, namesIn, numberOf, patternOf, toType, typeOf, valuesOf } from './keyword-values.js'
import type { Polymorphism } from './polymorphism.js'

type JsonObject = Readonly<Record<string, unknown>>

export interface ConvertOptions {
  readonly references: References
  readonly polymorphism: Polymorphism
  readonly hidden: HiddenMembers
  /** `2.0`, `3.0`, `3.1`, `3.2`. */
  readonly dialect: string
  /** Inputs lose what only a server sets, outputs what only a client sets. */
  readonly use: 'input' | 'output'
  /** Without descriptions and titles. */
  readonly isBare: boolean
  /** Members that hold bytes may be given as files, with a name and a media type. */
  readonly hasFiles: boolean
  /** The schema is a branch of `allOf`. */
  readonly isBranch: boolean
  /** Receives each reference. Returns the `$ref` that stands for its target, which is put in later. */
  placeholderFor(target: Target, how: ReferenceUse): string
}

export interface ReferenceUse {
  readonly isBranch: boolean
  /** The target applies to the same value as the schema itself, not to a part of it. */
  readonly isInPlace: boolean
}

/** Deeper parts of a schema are left open, and those after this many. */
const MAX_DEPTH = 40
const MAX_PARTS = 20_000
const MAX_STEPS = 100

/**
 * A schema of a document as JSON Schema 2020-12, one keyword at a time: members with a wrong type are dropped, so that
 * the result is valid whatever the document says. `oneOf` becomes `anyOf`: alternatives of real documents overlap, and
 * parts that are left open would overlap with all others.
 */
export function convertSchema(part: Located, options: ConvertOptions): ConvertedSchema {
  const conversion = new Conversion(options)
  const schema = conversion.convert(part, { depth: 0, isInPlace: true, isBranch: options.isBranch })
  return { schema, hasGaps: conversion.hasGaps }
}

export interface ConvertedSchema {
  readonly schema: JsonSchema
  /** Whether a part of it is left open because it is unknown or beyond a limit. */
  readonly hasGaps: boolean
}

interface Position {
  readonly depth: number
  readonly isInPlace: boolean
  readonly isBranch: boolean
  /** Names that the schema around this branch hides. */
  readonly hidden?: ReadonlySet<string> | undefined
  /** The name of the member that has this schema. */
  readonly name?: string | undefined
}

class Conversion {
  readonly #options: ConvertOptions
  #partsLeft = MAX_PARTS
  /** How often something was left open or put off: a negation must not contain such a part. */
  #opened = 0
  hasGaps = false

  constructor(options: ConvertOptions) {
    this.#options = options
  }

  convert({ value, base }: Located, position: Position): JsonSchema {
    if (value === false) return { not: {} }
    if (!isObject(value)) return {}
    if (position.depth > MAX_DEPTH || --this.#partsLeft < 0) {
      this.#opened++
      this.hasGaps = true
      return {}
    }
    const inner = this.#isOlder() ? base : baseIn(value, base)
    const { $ref, $dynamicRef } = value
    const reference = typeof $ref === 'string' ? $ref : $dynamicRef
    if (typeof reference === 'string') return this.#reference(reference, { value, base: inner }, position)
    return this.#plain({ value, base: inner }, position)
  }

  #isOlder(): boolean {
    const { dialect } = this.#options
    return dialect === '2.0' || dialect === '3.0'
  }

  #reference(reference: string, { value, base }: LocatedObject, position: Position): JsonSchema {
    this.#opened++
    const target = this.#find(reference, base)
    if (!target) this.hasGaps = true
    const siblings = this.#siblings(value)
    const isBranch = position.isBranch || siblings['properties'] !== undefined
    const made = target ? this.#alternatives(target, { ...position, isBranch }) : {}
    return this.#plain({ value: siblings, base }, position, made)
  }

  /** What a reference leads to, also through others that say nothing themselves. */
  #find(reference: string, base: string): Target | undefined {
    const { references } = this.#options
    let target = references.find(reference, base)
    for (let steps = 0; steps < MAX_STEPS; steps++) {
      const value = target?.value
      if (!isObject(value) || typeof value['$ref'] !== 'string' || Object.keys(value).length > 1) break
      target = references.find(value['$ref'], target!.base)
    }
    return target
  }

  /** Before 3.1 nothing beside a reference counts; what documents write there is meant all the same. */
  #siblings(value: JsonObject): JsonObject {
    const { $ref: _ref, $dynamicRef: _dynamic, ...siblings } = value
    if (!this.#isOlder()) return siblings
    const { description, deprecated, nullable, 'x-nullable': vendor } = siblings
    return { description, deprecated, nullable: nullable === true || vendor === true }
  }

  /** A reference. Where its target only says which property names the type, an input needs the types themselves. */
  #alternatives(target: Target, { isInPlace, isBranch }: Position): Record<string, unknown> {
    const { polymorphism, placeholderFor, use } = this.#options
    const subtypes = use === 'input' && !isBranch ? polymorphism.subtypesOf(target) : []
    if (subtypes.length === 0) return { $ref: placeholderFor(target, { isInPlace, isBranch }) }
    return {
      anyOf: subtypes.map((each) => ({
        $ref: placeholderFor(each.target, { isInPlace, isBranch: false }),
        ...each.tag,
      })),
    }
  }

  #plain({ value: schema, base }: LocatedObject, position: Position, start: JsonObject = {}): JsonSchema {
    const made: Record<string, unknown> = { ...start }
    for (const name of Object.keys(schema)) {
      const converted = this.#keyword(name, { schema, base }, position)
      if (converted !== undefined) made[name] = converted
    }
    this.#lists(made, { schema, base }, position)
    this.#unions(made, { schema, base }, position)
    this.#members(made, { schema, base }, position)
    if (schema['not'] !== undefined || schema['if'] !== undefined)
      this.#negations(made, { schema, base }, position)
    return finishSchema(made, { schema, ...this.#options })
  }

  #keyword(name: string, { schema, base }: SchemaPart, position: Position): unknown {
    const value = schema[name]
    const sub = (part: unknown): JsonSchema => this.#inner({ value: part, base }, position)
    switch (name) {
      case 'type':
        return typeOf(value)
      case 'title':
        return this.#options.isBare || isSameName(value, position.name) ? undefined : textOf(value)
      case 'description':
        return this.#options.isBare ? undefined : textOf(value)
      case 'format':
      case 'contentEncoding':
      case 'contentMediaType':
        return textOf(value)
      case 'pattern':
        return this.#orOpen(value, patternOf(value))
      case 'deprecated':
      case 'uniqueItems':
        return value === true ? true : undefined
      case 'const':
        return this.#orOpen(value, toType(dataOf(value), typeOf(schema['type'])))
      case 'default':
        return value === null ? undefined : toType(dataOf(value), typeOf(schema['type']))
      case 'minLength':
      case 'maxLength':
      case 'minItems':
      case 'maxItems':
      case 'minProperties':
      case 'maxProperties':
      case 'minContains':
      case 'maxContains':
        return countOf(value)
      case 'minimum':
      case 'maximum':
        return numberOf(value)
      case 'multipleOf': {
        const number = numberOf(value)
        return number !== undefined && number > 0 ? number : undefined
      }
      case 'items':
      case 'contains':
      case 'propertyNames':
      case 'additionalProperties':
      case 'unevaluatedProperties':
      case 'unevaluatedItems':
        return typeof value === 'boolean' ? value : isObject(value) ? sub(value) : undefined
      case 'prefixItems':
        return Array.isArray(value) && value.length > 0 ? value.map(sub) : undefined
      case 'patternProperties':
        return isObject(value) ? this.#patterns(value, sub) : undefined
      case 'dependentSchemas':
        return isObject(value)
          ? mapValues(value, (part) => this.convert({ value: part, base }, below(position)))
          : undefined
      case 'dependentRequired':
        return isObject(value) && Object.values(value).every(Array.isArray)
          ? mapValues(value, (names) => namesIn(names as unknown[]))
          : undefined
      default: // read elsewhere, extensions, and members that only documentation uses
        return undefined
    }
  }

  /** The schema of a part of the value. */
  #inner(part: Located, { depth }: Position, name?: string): JsonSchema {
    return this.convert(part, { depth: depth + 1, isInPlace: false, isBranch: false, name })
  }

  #orOpen(given: unknown, usable: unknown): unknown {
    if (given !== undefined && usable === undefined) this.#opened++
    return usable
  }

  #patterns(value: JsonObject, sub: (part: unknown) => JsonSchema): JsonObject {
    const entries = Object.entries(value).flatMap(([pattern, part]) => {
      const usable = this.#orOpen(pattern, patternOf(pattern))
      return typeof usable === 'string' ? [[usable, sub(part)] as const] : []
    })
    return Object.fromEntries(entries)
  }

  /** Values and items. Some documents put the values of items beside them, and `items` is the older `prefixItems`. */
  #lists(made: Record<string, unknown>, { schema, base }: SchemaPart, position: Position): void {
    const { items } = schema
    if (Array.isArray(items) && items.length > 0)
      made['prefixItems'] ??= items.map((value: unknown) => this.#inner({ value, base }, position))
    const type = made['type']
    const isOfItems = type === 'array' && Array.isArray(schema['enum']) && !schema['enum'].some(Array.isArray)
    const holder = isOfItems ? { ...(isObject(made['items']) && made['items']) } : made
    const allowed = valuesOf(schema['enum'], holder['type'])
    if (!allowed) return
    if ('values' in allowed) holder['enum'] ??= allowed.values
    else {
      this.#opened++
      const text = `One of ${allowed.count} values, such as ${allowed.first.map(String).join(', ')}.`
      holder['description'] = [holder['description'], text].filter((each) => each !== undefined).join(' ')
    }
    if (isOfItems) made['items'] = holder
  }

  #unions(made: Record<string, unknown>, { schema, base }: SchemaPart, position: Position): void {
    const { oneOf, anyOf, allOf } = schema
    const unions = [anyOf, oneOf].filter(isFilledList).map((list) => ({
      anyOf: list.map((value) => ({
        ...this.convert({ value, base }, below(position)),
        ...this.#options.polymorphism.tagOf({ value, base }, schema),
      })),
    }))
    const outer = isFilledList(allOf) ? this.#branches(allOf, { schema, base }, position) : []
    // A list that is there already, and a second one, become conditions of their own.
    const [first, ...others] = made['anyOf'] === undefined ? unions : [{ anyOf: made['anyOf'] }, ...unions]
    if (first) made['anyOf'] = first.anyOf
    if (outer.length + others.length > 0) made['allOf'] = [...outer, ...others]
  }

  #branches(allOf: readonly unknown[], { schema, base }: SchemaPart, position: Position): JsonSchema[] {
    const hidden = new Set([
      ...this.#options.hidden.namesIn({ value: schema, base }),
      ...(position.hidden ?? []),
    ])
    return allOf.map((value) => this.convert({ value, base }, { ...below(position), isBranch: true, hidden }))
  }

  /** Members; a required one that is hidden cannot be given. Some documents mark the member itself as required. */
  #members(made: Record<string, unknown>, { schema, base }: SchemaPart, position: Position): void {
    const { properties, required, additionalProperties, allOf } = schema
    const marked: string[] = []
    const names = isObject(properties) ? Object.keys(properties) : []
    const hidden = new Set(position.hidden)
    if (names.length > 0) {
      const entries = names.flatMap((name): [string, JsonSchema][] => {
        const value = (properties as JsonObject)[name]
        if (isObject(value) && value['required'] === true) marked.push(name)
        if (!this.#options.hidden.isHidden({ value, base }))
          return [[name, this.#inner({ value, base }, position, name)]]
        hidden.add(name)
        return []
      })
      made['properties'] = Object.fromEntries(entries)
    }
    if (Array.isArray(allOf) && Array.isArray(required))
      for (const name of this.#options.hidden.namesIn({ value: schema, base })) hidden.add(name)
    const given = Array.isArray(required) ? namesIn(required) : []
    const kept = [...new Set([...given, ...marked])].filter((name) => !hidden.has(name))
    if (kept.length > 0) made['required'] = kept
    if (additionalProperties !== false) return
    // Of a composed object, each part allows only its own members, although all of them are meant.
    const isComposed = ['$ref', 'allOf', 'anyOf'].some((name) => made[name] !== undefined)
    if (position.isBranch || isComposed) delete made['additionalProperties']
    if (isComposed && !position.isBranch) made['unevaluatedProperties'] = false
  }

  /** A negation or a condition of which a part is open would refuse what the document allows. */
  #negations(made: Record<string, unknown>, { schema, base }: SchemaPart, position: Position): void {
    const convert = (name: string): JsonSchema => this.convert({ value: schema[name], base }, below(position))
    const before = this.#opened
    const condition = convert('if')
    if (schema['if'] !== undefined && this.#opened === before) {
      made['if'] = condition
      for (const name of ['then', 'else']) if (isObject(schema[name])) made[name] = convert(name)
    }
    const after = this.#opened
    const negation = convert('not')
    if (isObject(schema['not']) && this.#opened === after && Object.keys(negation).length > 0)
      made['not'] = negation
  }
}

interface LocatedObject {
  readonly value: JsonObject
  readonly base: string
}

interface SchemaPart {
  readonly schema: JsonObject
  readonly base: string
}

/** The position of a schema that applies to the same value. */
function below({ depth, isInPlace }: Position): Position {
  return { depth: depth + 1, isInPlace, isBranch: false }
}

function baseIn({ $id }: JsonObject, base: string): string {
  return typeof $id === 'string' ? (idOf($id, base) ?? base) : base
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Generated titles only repeat the name of the member. */
function isSameName(title: unknown, name: string | undefined): boolean {
  if (typeof title !== 'string' || name === undefined) return false
  const letters = (text: string): string => text.replaceAll(/[\s_-]+/g, '').toLowerCase()
  return letters(title) === letters(name)
}

function isFilledList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0
}

function mapValues(value: JsonObject, change: (member: unknown) => unknown): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, change(member)]))
}
