import type { FieldError } from '../../api/problem.js'
import { pointerOf, type Path } from './draft.js'
import { isSchema, requiredOf, resolveSchema, type Schema } from './read-schema.js'

/** What a form can say at once about its fields. The server checks the whole schema; this is only faster. */
export function checkValue(root: Schema, value: unknown): readonly FieldError[] {
  const errors: FieldError[] = []
  check(root, value, [])
  return errors

  function check(given: Schema, current: unknown, path: Path): void {
    const schema = resolveSchema(given, root)
    const problem = problemOf(schema, current)
    if (problem !== undefined) errors.push({ path: pointerOf(path), message: problem })
    if (Array.isArray(current) && isSchema(schema['items']))
      for (const [index, item] of current.entries()) check(schema['items'], item, [...path, index])
    if (!isSchema(current) || !isSchema(schema['properties'])) return
    for (const [name, each] of Object.entries(schema['properties'])) {
      if (current[name] !== undefined && isSchema(each)) check(each, current[name], [...path, name])
      else if (requiredOf(schema).includes(name) && current[name] === undefined)
        errors.push({ path: pointerOf([...path, name]), message: 'Fill in this field.' })
    }
  }
}

function problemOf(schema: Schema, value: unknown): string | undefined {
  if (!hasType(schema['type'], value)) return `This must be ${typeWords(schema['type'])}.`
  if (typeof value === 'number') return numberProblem(schema, value)
  if (typeof value === 'string') return textProblem(schema, value)
  return undefined
}

function hasType(type: unknown, value: unknown): boolean {
  if (type === undefined) return true
  const types: unknown[] = Array.isArray(type) ? type : [type]
  return types.some((each) => {
    if (each === 'null') return value === null
    if (each === 'array') return Array.isArray(value)
    if (each === 'object') return isSchema(value)
    if (each === 'integer') return Number.isInteger(value)
    return typeof value === each
  })
}

function typeWords(type: unknown): string {
  const words: Readonly<Record<string, string>> = {
    string: 'a text',
    number: 'a number',
    integer: 'a whole number',
    boolean: 'yes or no',
    array: 'a list',
    object: 'an object',
    null: 'null',
  }
  return (Array.isArray(type) ? type : [type]).map((each) => words[String(each)] ?? String(each)).join(' or ')
}

function numberProblem({ minimum, maximum }: Schema, value: number): string | undefined {
  if (typeof minimum === 'number' && value < minimum) return `This must be ${minimum} or more.`
  if (typeof maximum === 'number' && value > maximum) return `This must be ${maximum} or less.`
  return undefined
}

function textProblem({ minLength, maxLength }: Schema, value: string): string | undefined {
  const length = [...value].length
  if (typeof minLength === 'number' && length < minLength)
    return `This needs at least ${minLength} ${minLength === 1 ? 'character' : 'characters'}.`
  if (typeof maxLength === 'number' && length > maxLength) return `This may have ${maxLength} characters.`
  return undefined
}
