import type { ReactNode } from 'react'
import { isSchema, requiredOf, resolveSchema, type Schema } from '../../ui/schema-form/read-schema.js'
import { Badge } from '../../ui/badge.js'
import { Text } from '../../ui/text.js'

interface SchemaFieldsProps {
  readonly schema: Schema
  /** What stands there where the schema names no field. */
  readonly empty: string
}

/** A schema for people: each field with its type, whether it is required, its limits and what it means. */
export function SchemaFields({ schema, empty }: SchemaFieldsProps): ReactNode {
  const resolved = resolveSchema(schema, schema)
  const parts = partsOf(resolved, schema)
  if (parts.length === 0) {
    if (typeOf(resolved, schema) === 'object' && resolved['additionalProperties'] === undefined)
      return <p className="muted">{empty}</p>
    return <Member part={{ name: undefined, schema, isRequired: false }} root={schema} depth={0} />
  }
  return <Members parts={parts} root={schema} depth={0} />
}

interface Part {
  readonly name: string | undefined
  readonly schema: Schema
  readonly isRequired: boolean
}

/** A reference can lead back to itself. */
const DEEPEST = 8
const OPEN_DEPTH = 2

function Members({
  parts,
  root,
  depth,
}: {
  readonly parts: readonly Part[]
  readonly root: Schema
  readonly depth: number
}): ReactNode {
  return (
    <ul className="schema-fields">
      {parts.map((part, index) => (
        <li key={`${part.name ?? ''} ${index}`}>
          <Member part={part} root={root} depth={depth} />
        </li>
      ))}
    </ul>
  )
}

function Member({
  part,
  root,
  depth,
}: {
  readonly part: Part
  readonly root: Schema
  readonly depth: number
}): ReactNode {
  const schema = resolveSchema(part.schema, root)
  const { description } = schema
  const parts = partsOf(schema, root)
  return (
    <>
      <div className="schema-field">
        {part.name !== undefined && (
          <code className="schema-name">
            <Text>{part.name}</Text>
          </code>
        )}
        <span className="schema-type">
          <Text>{typeOf(schema, root)}</Text>
        </span>
        {part.isRequired && <Badge>required</Badge>}
        {schema['deprecated'] === true && <Badge tone="warn">deprecated</Badge>}
        <Limits schema={schema} />
      </div>
      {typeof description === 'string' && description !== '' && (
        <p className="prose schema-description">
          <Text>{description}</Text>
        </p>
      )}
      <Choices schema={schema} />
      {parts.length > 0 && <Nested {...{ parts, root, depth }} />}
    </>
  )
}

function Nested(props: {
  readonly parts: readonly Part[]
  readonly root: Schema
  readonly depth: number
}): ReactNode {
  const { parts, root, depth } = props
  if (depth >= DEEPEST) return null
  const inner = <Members parts={parts} root={root} depth={depth + 1} />
  if (depth < OPEN_DEPTH) return inner
  return (
    <details>
      <summary>
        {parts.length} {parts.length === 1 ? 'field' : 'fields'}
      </summary>
      {inner}
    </details>
  )
}

function Choices({ schema }: { readonly schema: Schema }): ReactNode {
  const { enum: options } = schema
  if (!Array.isArray(options)) return null
  return (
    <p className="schema-choices">
      <span className="muted">one of </span>
      {options.map((option, index) => (
        <code key={index}>
          <Text>{typeof option === 'string' ? option : JSON.stringify(option)}</Text>
        </code>
      ))}
    </p>
  )
}

const LIMITS: readonly (readonly [string, (value: string) => string])[] = [
  ['default', (value) => `default ${value}`],
  ['const', (value) => `always ${value}`],
  ['minimum', (value) => `from ${value}`],
  ['exclusiveMinimum', (value) => `above ${value}`],
  ['maximum', (value) => `up to ${value}`],
  ['exclusiveMaximum', (value) => `below ${value}`],
  ['multipleOf', (value) => `a multiple of ${value}`],
  ['minLength', (value) => `at least ${value} characters`],
  ['maxLength', (value) => `at most ${value} characters`],
  ['minItems', (value) => `at least ${value} in the list`],
  ['maxItems', (value) => `at most ${value} in the list`],
  ['format', (value) => `format ${value}`],
  ['pattern', (value) => `matches ${value}`],
]

function Limits({ schema }: { readonly schema: Schema }): ReactNode {
  const words = LIMITS.flatMap(([name, say]) => {
    const value = schema[name]
    // Generators write the largest safe number where there is no limit.
    if (value === undefined || Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER) return []
    return say(typeof value === 'string' && name !== 'default' ? value : JSON.stringify(value))
  })
  if (words.length === 0) return null
  return (
    <span className="muted">
      <Text>{words.join(', ')}</Text>
    </span>
  )
}

/** The fields of an object, of the items of a list, or the alternatives. A list can hold lists like itself. */
function partsOf(schema: Schema, root: Schema, level = 0): readonly Part[] {
  if (level > DEEPEST) return []
  const { properties, items, additionalProperties: others } = schema
  const required = requiredOf(schema)
  const fields = isSchema(properties)
    ? Object.entries(properties).map(([name, each]) => ({
        name,
        schema: isSchema(each) ? each : {},
        isRequired: required.includes(name),
      }))
    : []
  const named = isSchema(others) ? [{ name: 'any other name', schema: others, isRequired: false }] : []
  const ofItems = isSchema(items) ? partsOf(resolveSchema(items, root), root, level + 1) : []
  const alternatives = alternativesOf(schema).map((each) => ({
    name: undefined,
    schema: each,
    isRequired: false,
  }))
  return [...fields, ...named, ...ofItems, ...alternatives]
}

function alternativesOf(schema: Schema): readonly Schema[] {
  for (const word of ['oneOf', 'anyOf', 'allOf']) {
    const choices = schema[word]
    if (Array.isArray(choices)) return choices.filter(isSchema)
  }
  return []
}

const ALTERNATIVES: readonly (readonly [string, string])[] = [
  ['oneOf', 'one of these'],
  ['anyOf', 'any of these'],
  ['allOf', 'all of these'],
]

function typeOf(schema: Schema, root: Schema, level = 0): string {
  const { type, items } = schema
  const types = (Array.isArray(type) ? type : [type]).filter((each) => typeof each === 'string')
  if (types.length === 1 && types[0] === 'array' && isSchema(items) && level < DEEPEST)
    return `list of ${typeOf(resolveSchema(items, root), root, level + 1)}`
  if (types.length > 0) return types.map((each) => TYPES[each] ?? each).join(' or ')
  const alternative = ALTERNATIVES.find(([word]) => Array.isArray(schema[word]))
  if (alternative !== undefined) return alternative[1]
  if (isSchema(schema['properties'])) return 'object'
  return Array.isArray(schema['enum']) || 'const' in schema ? 'value' : 'anything'
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'number',
  integer: 'whole number',
  boolean: 'yes or no',
  array: 'list',
}
