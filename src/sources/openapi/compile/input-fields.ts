import { createHash } from 'node:crypto'
import { hasOtherScript, toWords } from './name-operations.js'

export interface NamedParameter {
  /** The name on the wire. */
  readonly name: string
  readonly position: string
}

/** What every model API allows as the name of a member. */
const LEGAL = /^[A-Za-z0-9_.-]{1,64}$/
const MAX_CHARS = 64

/**
 * The members of the input for parameters, in their order. A name that a model API allows is the member's name; others,
 * such as `page[size]`, give a readable one. One in another script than Latin has its position and a hash of the name. A name that occurs in two positions says which one is meant, from the second
 * on.
 */
export function inputFields(parameters: readonly NamedParameter[]): string[] {
  const taken = new Set<string>()
  const fields: (string | undefined)[] = parameters.map(() => undefined)
  const passes: ((parameter: NamedParameter) => string | undefined)[] = [
    ({ name }) => (isLegal(name) ? name : undefined), // names of the document come before names made here
    (parameter) => readableField(parameter),
    (parameter) => readable(`${readableField(parameter)}_${parameter.position}`),
    ({ name, position }) => withHash(name, position),
  ]
  for (const fieldFor of passes)
    parameters.forEach((parameter, at) => {
      const field = fields[at] === undefined ? fieldFor(parameter) : undefined
      if (field === undefined || taken.has(field)) return
      fields[at] = field
      taken.add(field)
    })
  return fields as string[]
}

/** A name for a member that is no parameter. */
export function freeField(wanted: string, taken: Set<string>): string {
  let name = wanted
  for (let number = 2; taken.has(name); number++) name = `${wanted}_${number}`
  taken.add(name)
  return name
}

// As a member, `__proto__` is no name that every reader of JSON keeps.
const isLegal = (name: string): boolean => LEGAL.test(name) && name !== '__proto__'

function readableField({ name, position }: NamedParameter): string {
  return hasOtherScript(name) ? withHash(toWords(name) || position, name) : readable(name)
}

/** `page[size]` is `page_size`, `$filter` is `filter`. */
function readable(name: string): string {
  const words = toWords(name)
  if (words === '') return withHash('parameter', name)
  return words.length <= MAX_CHARS ? words : withHash(words, name)
}

function withHash(name: string, from: string): string {
  const hash = createHash('sha256').update(`${name}\n${from}`).digest('hex').slice(0, 8)
  return `${toWords(name).slice(0, MAX_CHARS - hash.length - 1)}_${hash}`
}
