import { nearestWord } from '../../../platform/config/nearest-word.js'
import { asList, quote, renameKey, replace, replaceText } from '../read/edits.js'
import type { FileMember, FileNode, Span } from '../read/file-node.js'
import type { Report } from '../read/report.js'
import type { RuleCode } from './rules.js'

/** An object of the front matter. */
export interface Fields {
  readonly node: FileNode
  /** Where it is named: problems of the whole object are shown there. */
  readonly at: Span
  /** Such as `transport.credentials`; empty for the front matter itself. */
  readonly path: string
  readonly report: Report
}

/** A field with its value. */
export interface Field<Value> extends FileMember {
  readonly value: Value
}

/** The whole path of a field, for sentences. */
export function pathOf(fields: Fields, name: string): string {
  return fields.path === '' ? name : `${fields.path}.${name}`
}

/** The member of a field that has a value. */
export function given(fields: Fields, name: string): FileMember | undefined {
  const member = fields.node.members?.get(name)
  return member?.node.value === null ? undefined : member
}

/** Reports a required field that is not there. */
export function reportMissing(
  fields: Fields,
  name: string,
  { code = 'aml/missing-field', hint = '' }: { code?: RuleCode; hint?: string } = {},
): void {
  // A field without a value has a problem of its own.
  if (!fields.node.members?.has(name))
    fields.report.add(code, fields.at, `Add the field "${pathOf(fields, name)}"${hint}.`)
}

/** Reports fields that have a name and no value. */
export function reportEmpty(fields: Fields, names: readonly string[]): void {
  for (const name of names) {
    const member = fields.node.members?.get(name)
    if (member?.node.value === null)
      fields.report.add('aml/missing-value', member.key, `Write a value for "${pathOf(fields, name)}".`)
  }
}

/** Reports fields that are not known, and known ones without a value. */
export function reportUnknown(fields: Fields, known: readonly string[]): void {
  reportEmpty(fields, known)
  for (const [name, { key }] of fields.node.members ?? []) {
    if (known.includes(name)) continue
    const free = known.filter((each) => !fields.node.members?.has(each))
    const near = nearestWord(name, free)
    const advice = near === undefined ? 'remove it' : `did you mean "${near}"?`
    fields.report.add(
      'aml/unknown-field',
      key,
      `The field "${pathOf(fields, name)}" is not known; ${advice}${near === undefined ? '.' : ''}`,
      near === undefined ? undefined : renameKey(fields.node.members, key, near),
    )
  }
}

/** The word that was probably meant, also where it was cut short: "bearer", "int". */
export function meantWord<Word extends string>(given: string, words: readonly Word[]): Word | undefined {
  const near = nearestWord(given, words)
  if (near !== undefined) return near as Word
  const longer = given.length < 3 ? [] : words.filter((word) => word.startsWith(given.toLowerCase()))
  return longer.length === 1 ? longer[0] : undefined
}

export interface Wanted {
  /** The code of a missing field; absent: the field is optional. */
  readonly missing?: RuleCode
  /** The code of a wrong value. */
  readonly wrong?: RuleCode
  /** The text has a form of its own, so that quotes around a number do not mend it. */
  readonly hasForm?: boolean
  /** What to write, behind the name of a missing field. */
  readonly hint?: string
}

function memberOf(fields: Fields, name: string, { missing, hint }: Wanted): FileMember | undefined {
  const member = given(fields, name)
  if (!member && missing) reportMissing(fields, name, { code: missing, ...(hint !== undefined && { hint }) })
  return member
}

export function objectField(fields: Fields, name: string, wanted: Wanted = {}): Fields | undefined {
  const member = memberOf(fields, name, wanted)
  if (!member) return undefined
  const path = pathOf(fields, name)
  if (member.node.members) return { node: member.node, at: member.key, path, report: fields.report }
  fields.report.add(wanted.wrong ?? 'aml/wrong-type', member.key, `"${path}" must be an object with fields.`)
  return undefined
}

export function textField(fields: Fields, name: string, wanted: Wanted = {}): Field<string> | undefined {
  const member = memberOf(fields, name, wanted)
  if (!member) return undefined
  const { node } = member
  const { report } = fields
  if (typeof node.value !== 'string') {
    const code = wanted.wrong ?? 'aml/wrong-type'
    report.add(
      code,
      node,
      `"${pathOf(fields, name)}" must be a text.`,
      wanted.hasForm ? undefined : quote(node, report.source),
    )
    return undefined
  }
  if (node.value.trim() === '') {
    report.add(wanted.wrong ?? 'aml/empty-text', node, `"${pathOf(fields, name)}" must not be empty.`)
    return undefined
  }
  return { ...member, value: node.value }
}

/** One of several words. */
export function choiceField<Value extends string>(
  fields: Fields,
  name: string,
  {
    of,
    elsewhere,
    ...wanted
  }: Wanted & {
    of: readonly Value[]
    wrong: RuleCode
    /** Where another word belongs, as the end of a sentence. */
    elsewhere?: (word: unknown) => string | undefined
  },
): Field<Value> | undefined {
  const hint = `, one of ${of.join(', ')}`
  const member = memberOf(fields, name, { hint, ...wanted })
  if (!member) return undefined
  const { value } = member.node
  const known = of.find((each) => each === value)
  if (known !== undefined) return { ...member, value: known }
  const near = typeof value === 'string' ? meantWord(value.trim().replaceAll('_', '-'), of) : undefined
  const path = pathOf(fields, name)
  const advice = near === undefined ? elsewhere?.(value) : `did you mean "${near}"?`
  fields.report.add(
    wanted.wrong,
    member.node,
    advice === undefined
      ? `"${path}" must be one of ${of.join(', ')}.`
      : `"${path}" must be one of ${of.join(', ')}; ${advice}`,
    near === undefined ? undefined : replaceText(member.node, near),
  )
  return undefined
}

/** A list of texts; one text stands for a list of one where `orText` says so. */
export function textsField(
  fields: Fields,
  name: string,
  { orText = false, ...wanted }: Wanted & { orText?: boolean } = {},
): Field<readonly string[]> | undefined {
  const member = memberOf(fields, name, wanted)
  if (!member) return undefined
  const { node } = member
  if (orText && typeof node.value === 'string') {
    const text = textField(fields, name, wanted)
    return text && { ...text, value: [text.value] }
  }
  const code = wanted.wrong ?? 'aml/wrong-type'
  const path = pathOf(fields, name)
  if (!node.items) {
    fields.report.add(
      code,
      node,
      `"${path}" must be a list of texts${orText ? ' or a text' : ''}.`,
      asList(node, fields.report.source),
    )
    return undefined
  }
  const wrong = node.items.filter(({ value }) => typeof value !== 'string' || value.trim() === '')
  for (const item of wrong)
    fields.report.add(
      code,
      item,
      `Each item of "${path}" must be a text that is not empty.`,
      quote(item, fields.report.source),
    )
  return wrong.length > 0 ? undefined : { ...member, value: node.value as string[] }
}

export function integerField(
  fields: Fields,
  name: string,
  { min, max = Number.MAX_SAFE_INTEGER, wrong }: { min: number; max?: number; wrong: RuleCode },
): Field<number> | undefined {
  const member = given(fields, name)
  if (!member) return undefined
  const { value } = member.node
  if (Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max)
    return { ...member, value: value as number }
  const limit = max === Number.MAX_SAFE_INTEGER ? `at least ${min}` : `from ${min} to ${max}`
  const quoted = member.node.style === 'quoted' && /^[1-9]\d{0,9}$/.test(String(value)) ? Number(value) : NaN
  fields.report.add(
    wrong,
    member.node,
    `"${pathOf(fields, name)}" must be a whole number, ${limit}.`,
    quoted >= min && quoted <= max ? replace(member.node, String(quoted), 'Remove the quotes') : undefined,
  )
  return undefined
}
