import { nearestWord } from '../../../platform/config/nearest-word.js'
import { sameJson } from '../../../platform/json/same-json.js'
import { isObject } from '../../../platform/json/is-object.js'
import { replaceText } from '../read/edits.js'
import type { Fields } from './fields.js'

const RANGES = [
  ['minimum', 'maximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
] as const

/** Warns of schemas that are valid and probably mean something else. */
export function checkSchemaSense(part: Fields): void {
  checkRequired(part)
  checkRanges(part)
  checkDefault(part)
}

function checkRequired({ node, path, report }: Fields): void {
  const properties = node.members?.get('properties')?.node.members
  if (!properties) return
  const names = node.members?.get('required')?.node.items ?? []
  const free = [...properties.keys()].filter((name) => !names.some(({ value }) => value === name))
  for (const item of names) {
    if (typeof item.value !== 'string' || properties.has(item.value)) continue
    const near = nearestWord(item.value, free)
    const advice = near === undefined ? 'add it there.' : `did you mean "${near}"?`
    report.add(
      'aml/schema-required',
      item,
      `"${path}.required" names "${item.value}", which properties does not describe; ${advice}`,
      near === undefined ? undefined : replaceText(item, near),
    )
  }
}

function checkRanges({ node, path, report }: Fields): void {
  for (const [low, high] of RANGES) {
    const most = node.members?.get(high)
    const least = node.members?.get(low)?.node.value
    if (typeof least === 'number' && typeof most?.node.value === 'number' && least > most.node.value)
      report.add('aml/schema-impossible', most.node, `"${path}.${high}" must not be below ${low} (${least}).`)
  }
}

function checkDefault({ node, path, report }: Fields): void {
  const standard = node.members?.get('default')
  if (!standard) return
  const { value } = standard.node
  const type = node.members?.get('type')?.node.value
  const types = Array.isArray(type) ? type : type === undefined ? [] : [type]
  if (types.length > 0 && !types.some((each) => isOfType(value, each)))
    report.add(
      'aml/schema-default',
      standard.node,
      `"${path}.default" must be of type ${types.join(' or ')}.`,
    )
  const allowed = node.members?.get('enum')?.node.value
  if (Array.isArray(allowed) && !allowed.some((each) => sameJson(each, value)))
    report.add('aml/schema-default', standard.node, `"${path}.default" must be one of the values of enum.`)
}

function isOfType(value: unknown, type: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null
    case 'integer':
      return Number.isInteger(value)
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isObject(value)
    default:
      return typeof value === type
  }
}
