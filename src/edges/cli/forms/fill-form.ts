import type { JsonSchema } from '../../../contract/json-schema.js'
import { defineKey } from '../../../platform/json/define-key.js'
import { wrapText } from '../terminal/fit-text.js'
import { parsePairs } from '../input/parse-pairs.js'
import { isUsageProblem } from '../program/usage-problem.js'
import { askPerson } from '../terminal/ask-person.js'
import type { Terminal } from '../terminal/terminal.js'
import { choiceText, describeField, formFields, type FormField } from './form-fields.js'

export interface FillOptions {
  readonly terminal: Terminal
  readonly signal?: AbortSignal | undefined
  /** The lines of the last time, so that a wrong one can be corrected. */
  readonly lines?: Map<string, string> | undefined
}

/** Asks for each field of a form; undefined if the person leaves. */
export async function fillForm(
  form: JsonSchema,
  { terminal, signal, lines = new Map() }: FillOptions,
): Promise<{ content: unknown } | undefined> {
  const content: Record<string, unknown> = {}
  for (const field of formFields(form)) {
    const value = await askField(field, form, { terminal, signal, lines })
    if (value === 'left') return undefined
    if (!value) continue
    if (field.name === '') return { content: value.value }
    defineKey(content, field.name, value.value)
  }
  return { content }
}

/** Asks until the line can be read. Nothing for an optional field that is left empty. */
async function askField(
  field: FormField,
  form: JsonSchema,
  { terminal, signal, lines }: Required<Pick<FillOptions, 'lines'>> & FillOptions,
): Promise<{ value: unknown } | undefined | 'left'> {
  const { description, name } = field
  if (description !== undefined)
    for (const line of wrapText(description, terminal.columns - 2))
      terminal.say(terminal.sayStyle.dim(`  ${line}`))
  let start = lines?.get(name)
  for (;;) {
    const line = await askPerson(`${describeField(field)}: `, {
      terminal,
      signal,
      ...(start !== undefined && { start }),
    })
    if (line === undefined) return 'left'
    start = undefined
    const read = readField(field, line, form)
    if (!('say' in read)) lines?.set(name, line)
    if ('skip' in read) return undefined
    if ('value' in read) return read
    terminal.say(read.say)
  }
}

type ReadField = { value: unknown } | { skip: true } | { say: string }

/** What a person typed into a field. */
export function readField(field: FormField, line: string, form: JsonSchema): ReadField {
  const text = line.trim()
  const { name, kind, choices, isRequired } = field
  if (text === '')
    return isRequired ? { say: 'This field is required; Ctrl-C leaves the question open.' } : { skip: true }
  if (choices) return readChoice(choices, text)
  if (kind === 'yes or no') {
    if (/^(y|yes|true)$/i.test(text)) return { value: true }
    if (/^(n|no|false)$/i.test(text)) return { value: false }
    return { say: 'Type y or n.' }
  }
  if (name === '' || name.includes('=')) return readWhole(kind, text, line)
  try {
    return { value: parsePairs([`${name}=${kind === 'text' ? line : text}`], form)[name] }
  } catch (error) {
    if (!isUsageProblem(error)) throw error
    return { say: error.message }
  }
}

/** A choice as it is shown, or its number from 1. */
function readChoice(choices: readonly unknown[], text: string): ReadField {
  const exact = choices.findIndex((choice) => choiceText(choice) === text)
  const near = choices.findIndex((choice) => choiceText(choice).toLowerCase() === text.toLowerCase())
  const index = exact !== -1 ? exact : near !== -1 ? near : /^\d+$/.test(text) ? Number(text) - 1 : -1
  if (index >= 0 && index < choices.length) return { value: choices[index] }
  const listed = choices.map((choice, at) => `${at + 1} ${choiceText(choice)}`)
  return { say: `Choose one, by its number too: ${listed.join(', ')}.` }
}

function readWhole(kind: string, text: string, line: string): ReadField {
  if (kind === 'text') return { value: line }
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return { say: 'That is not JSON.' }
  }
}
