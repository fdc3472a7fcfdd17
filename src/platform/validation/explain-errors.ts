import type { ErrorObject } from 'ajv'
import { truncateAfter } from '../text/truncate.js'
import { maxIssues, type Issue } from './validated.js'

const typeWords: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'a boolean',
  array: 'an array',
  object: 'an object',
  null: 'null',
}

/** Nested alternatives leave thousands, and each of them is compared with every one around it. */
const maxErrors = 1000

/** Ajv's errors in plain words about what was expected. The value itself is never repeated. */
export function explainErrors(errors: readonly ErrorObject[]): Issue[] {
  const kept: { error: ErrorObject; message: string }[] = []
  for (const error of errors.slice(0, maxErrors)) {
    // The error about the property name itself follows and is enough.
    if (error.propertyName !== undefined) continue
    if (error.keyword === 'anyOf' || error.keyword === 'oneOf') {
      // Backwards, because the same union met at another item left equal schema paths further up.
      let start = kept.length
      while (kept[start - 1]?.error.schemaPath.startsWith(error.schemaPath + '/')) start--
      const branches = kept.slice(start)
      if (
        error.params.passingSchemas == null &&
        branches.length > 0 &&
        branches.every(isAlternative(error))
      ) {
        const wants = branches.map((branch) => branch.message.replace(/^must be /, ''))
        kept.splice(start, branches.length, { error, message: `must be ${[...new Set(wants)].join(' or ')}` })
        continue
      }
    }
    kept.push({ error, message: sentenceOf(error) })
  }
  const issues = new Map<string, Issue>()
  for (const { error, message } of kept) {
    issues.set(`${error.instancePath} ${message}`, { path: error.instancePath, message })
    if (issues.size === maxIssues) break
  }
  return [...issues.values()]
}

/** Whether a branch only says what else the same value could be, so that all branches fit in one sentence. */
function isAlternative(union: ErrorObject) {
  return ({ error, message }: { error: ErrorObject; message: string }): boolean =>
    error.instancePath === union.instancePath &&
    message.startsWith('must be ') &&
    ['type', 'const', 'enum', 'anyOf', 'oneOf'].includes(error.keyword)
}

function sentenceOf({ keyword, params, message }: ErrorObject): string {
  switch (keyword) {
    case 'type':
      return `must be ${[params.type].flat().map(typeWord).join(' or ')}`
    case 'required':
      return `must have the property ${quote(params.missingProperty)}`
    case 'additionalProperties':
      return `must not have the property ${quote(params.additionalProperty)}`
    case 'unevaluatedProperties':
      return `must not have the property ${quote(params.unevaluatedProperty)}`
    case 'propertyNames':
      return `must not have a property named ${quote(params.propertyName)}`
    case 'dependentRequired':
    case 'dependencies':
      return `must have the property ${quote(params.missingProperty)} when it has ${quote(params.property)}`
    case 'enum':
      return `must be one of ${listing(params.allowedValues)}`
    case 'const':
      return `must be ${inJson(params.allowedValue)}`
    case 'minimum':
      return `must be at least ${params.limit}`
    case 'maximum':
      return `must be at most ${params.limit}`
    case 'exclusiveMinimum':
      return `must be greater than ${params.limit}`
    case 'exclusiveMaximum':
      return `must be less than ${params.limit}`
    case 'multipleOf':
      return `must be a multiple of ${params.multipleOf}`
    case 'minLength':
      return `must have at least ${counted(params.limit, 'character', 'characters')}`
    case 'maxLength':
      return `must have at most ${counted(params.limit, 'character', 'characters')}`
    case 'minItems':
      return `must have at least ${counted(params.limit, 'item', 'items')}`
    case 'maxItems':
    case 'additionalItems':
    case 'items':
    case 'unevaluatedItems':
      return `must have at most ${counted(params.limit ?? params.len, 'item', 'items')}`
    case 'minProperties':
      return `must have at least ${counted(params.limit, 'property', 'properties')}`
    case 'maxProperties':
      return `must have at most ${counted(params.limit, 'property', 'properties')}`
    case 'uniqueItems':
      return `must not repeat an item (items ${Math.min(params.i, params.j)} and ${Math.max(params.i, params.j)} are equal)`
    case 'contains':
      return `must contain at least ${counted(params.minContains, 'item', 'items')} of the wanted form`
    case 'pattern':
      return `must match the pattern ${quote(params.pattern)}`
    case 'format':
      return `must have the format ${quote(params.format)}`
    case 'anyOf':
      return 'must fit at least one of the allowed forms'
    case 'oneOf':
      return params.passingSchemas
        ? 'must fit only one of the allowed forms, but fits several'
        : 'must fit one of the allowed forms'
    case 'not':
      return 'must not have this form'
    case 'if':
      return `must fit the form that "${params.failingKeyword}" asks for`
    case 'false schema':
      return 'must not be present'
    default:
      // Ajv's own message describes the schema, not the value.
      return message ?? 'is not valid'
  }
}

function typeWord(name: string): string {
  return typeWords[name] ?? name
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`
}

function listing(values: readonly unknown[]): string {
  const shown = values.slice(0, 20).map(inJson).join(', ')
  return values.length > 20 ? `${shown} and ${values.length - 20} more` : shown
}

function inJson(value: unknown): string {
  return truncateAfter(JSON.stringify(value) ?? 'undefined', 100)
}

/** Names can come from the value, so their length is not trusted. */
function quote(name: string): string {
  return JSON.stringify(truncateAfter(name, 100))
}
