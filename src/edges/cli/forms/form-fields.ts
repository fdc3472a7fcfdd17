import type { JsonSchema } from '../../../contract/json-schema.js'
import { isObject } from '../../../platform/json/is-object.js'
import { oneLine, printableJson } from '../../../platform/text/printable.js'

/** One field of a form, as a person sees it. */
export interface FormField {
  /** Empty where the whole answer is one value. */
  readonly name: string
  /** `text`, `number`, `yes or no`, `JSON list`, … */
  readonly kind: string
  readonly isRequired: boolean
  readonly description: string | undefined
  /** The values of which one is chosen. */
  readonly choices: readonly unknown[] | undefined
}

/** The fields of a form in the order of its schema. */
export function formFields(form: JsonSchema): FormField[] {
  const { properties, required } = form
  if (form['type'] !== 'object' && !isObject(properties)) return [fieldOf('', form, true)]
  if (!isObject(properties)) return [{ ...fieldOf('', form, true), kind: 'JSON object' }]
  const needed: readonly unknown[] = Array.isArray(required) ? required : []
  return Object.entries(properties).map(([name, schema]) => fieldOf(name, schema, needed.includes(name)))
}

function fieldOf(name: string, given: unknown, isRequired: boolean): FormField {
  const schema = isObject(given) ? given : {}
  const { description, title } = schema
  const words = [description, title].find((each) => typeof each === 'string')
  return {
    name,
    kind: kindOf(schema),
    isRequired,
    description: typeof words === 'string' ? oneLine(words) : undefined,
    choices: choicesOf(schema),
  }
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'number',
  integer: 'whole number',
  boolean: 'yes or no',
  array: 'JSON list',
  object: 'JSON object',
  null: 'null',
}

function kindOf({ type }: Readonly<Record<string, unknown>>): string {
  const types = [type].flat().filter((each) => typeof each === 'string' && each !== 'null')
  return types.length === 0 ? 'JSON' : types.map((each) => KINDS[each as string] ?? each).join(' or ')
}

function choicesOf(schema: Readonly<Record<string, unknown>>): readonly unknown[] | undefined {
  if ('const' in schema) return [schema['const']]
  return Array.isArray(schema['enum']) && schema['enum'].length > 0 ? schema['enum'] : undefined
}

/** A choice as it is typed: texts without quotes. */
export function choiceText(choice: unknown): string {
  return typeof choice === 'string' ? choice : (JSON.stringify(choice) ?? '')
}

const MAX_SHOWN_CHOICES = 12

/** `decision: refund | refuse`, `note: text (optional)`. */
export function describeField({ name, kind, isRequired, choices }: FormField): string {
  const shown = choices?.slice(0, MAX_SHOWN_CHOICES).map(choiceText).join(' | ')
  const more = (choices?.length ?? 0) > MAX_SHOWN_CHOICES ? ' | …' : ''
  const what = shown === undefined ? kind : `${shown}${more}`
  return oneLine(`${name === '' ? 'answer' : name}: ${what}${isRequired ? '' : ' (optional)'}`)
}

/** The whole form in one line. */
export function describeForm(form: JsonSchema): string {
  const fields = formFields(form)
  return fields.length === 0 ? printableJson(form) : fields.map(describeField).join('; ')
}
