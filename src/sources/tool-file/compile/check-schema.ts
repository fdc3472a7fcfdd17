import { nearestWord } from '../../../platform/config/nearest-word.js'
import { errorMessage } from '../../../platform/text/error-message.js'
import { asList, renameKey, replace, replaceText } from '../read/edits.js'
import type { FileMember, FileNode, Span } from '../read/file-node.js'
import type { Report } from '../read/report.js'
import { checkSchemaSense } from './check-schema-sense.js'
import { meantWord, type Fields } from './fields.js'
import type { RuleCode } from './rules.js'
import {
  fileKeywords,
  fileTransfers,
  referenceKeywords,
  schemaFormats,
  schemaKeywords,
  schemaTypes,
  type KeywordValue,
} from './schema-keywords.js'

const DRAFT_07 = /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/

/** Checks that a schema is in the subset of draft-07 that AML has; false where it is not. */
export function checkSchema(top: Fields): boolean {
  let isValid = true
  const report: Report = {
    ...top.report,
    add(code, at, message, fix) {
      if (code !== 'aml/schema-required' && code !== 'aml/schema-impossible' && code !== 'aml/schema-default')
        isValid = false
      top.report.add(code, at, message, fix)
    },
  }
  checkTop({ ...top, report })
  checkPart({ ...top, report }, true)
  return isValid
}

function checkTop({ node, at, path, report }: Fields): void {
  if (!node.members?.has('type')) report.add('aml/schema-top-level', at, `Add type: object to "${path}".`)
}

function checkTopType({ path, report }: Fields, { node }: FileMember): void {
  if (node.value === 'object') return
  const meant = typeof node.value === 'string' ? meantWord(node.value, schemaTypes) : undefined
  report.add(
    'aml/schema-top-level',
    node,
    `The type of "${path}" must be object.`,
    meant === 'object' ? replaceText(node, meant) : undefined,
  )
}

function checkPart(part: Fields, isTop = false): void {
  const { node, path, report } = part
  if (typeof node.value === 'boolean' && !isTop) return
  if (!node.members) {
    report.add('aml/schema-object', spanOf(part), `"${path}" must be a schema, such as { type: string }.`)
    return
  }
  for (const [keyword, member] of node.members) checkKeyword(part, { keyword, member, isTop })
  checkFile(part)
  checkSchemaSense(part)
}

function checkKeyword(
  part: Fields,
  { keyword, member, isTop }: { keyword: string; member: FileMember; isTop: boolean },
): void {
  const { node, path, report } = part
  const isFile = node.members?.has('transfer') === true
  if (keyword.startsWith('x-')) return
  if (keyword === 'type' && isTop) return checkTopType(part, member)
  if (Object.hasOwn(schemaKeywords, keyword)) return checkValue(part, keyword, schemaKeywords[keyword]!)
  if (referenceKeywords.includes(keyword)) {
    report.add('aml/schema-reference', member.key, `"${path}" must not use ${keyword}; write the schema out.`)
    return
  }
  if (keyword === '$schema' && isTop) {
    if (typeof member.node.value !== 'string' || !DRAFT_07.test(member.node.value))
      report.add('aml/schema-value', member.node, `"${path}.$schema" must name draft-07; remove it.`)
    return
  }
  if (keyword === 'transfer') return checkTransfer(part, member)
  if (Object.hasOwn(fileKeywords, keyword) && isFile) return checkValue(part, keyword, fileKeywords[keyword]!)
  if ((keyword === 'content' || keyword === 'url') && isFile) return
  if (keyword === 'nullable') {
    report.add(
      'aml/schema-keyword',
      member.key,
      `"${path}" must not use nullable; write type: [<type>, "null"].`,
    )
    return
  }
  const near = nearestWord(keyword, Object.keys(schemaKeywords))
  report.add(
    'aml/schema-keyword',
    member.key,
    `"${path}" has the unknown keyword "${keyword}"; ${near === undefined ? 'remove it.' : `did you mean "${near}"?`}`,
    near === undefined ? undefined : renameKey(node.members, member.key, near),
  )
}

function checkTransfer({ path, report }: Fields, { node }: FileMember): void {
  if (fileTransfers.some((each) => each === node.value)) return
  const near = typeof node.value === 'string' ? nearestWord(node.value, fileTransfers) : undefined
  report.add(
    'aml/file-transfer',
    node,
    `"${path}.transfer" must be ${fileTransfers.join(' or ')}.`,
    near === undefined ? undefined : replaceText(node, near),
  )
}

/** A file is an object, with `content` where it is sent inline and `url` where it is a reference. */
function checkFile({ node, path, report }: Fields): void {
  const transfer = node.members?.get('transfer')?.node.value
  if (transfer !== 'inline' && transfer !== 'ref') return
  const type = node.members?.get('type')
  if (type && type.node.value !== 'object')
    report.add('aml/file-field', type.node, `"${path}" is a file, so its type must be object.`)
  const other = transfer === 'inline' ? 'url' : 'content'
  const wrong = node.members?.get(other)
  if (wrong)
    report.add('aml/file-field', wrong.key, `"${path}.${other}" does not go with transfer: ${transfer}.`)
}

/** Reports a value that a keyword cannot have, and descends into schemas. */
function checkValue(part: Fields, keyword: string, kind: KeywordValue): void {
  const { key, node } = part.node.members!.get(keyword)!
  const { report } = part
  const path = `${part.path}.${keyword}`
  const { value } = node
  const wrong = (what: string, at: Span = node, code: RuleCode = 'aml/schema-value'): void =>
    report.add(code, at, `"${path}" must be ${what}.`)
  const inner = (each: FileNode, at: Span, name: string | number): void =>
    checkPart({ node: each, at, path: `${path}.${name}`, report })
  switch (kind) {
    case 'any':
      return
    case 'text':
      return typeof value === 'string' ? undefined : wrong('a text')
    case 'boolean':
      return typeof value === 'boolean' ? undefined : wrong('true or false')
    case 'number':
      return typeof value === 'number' ? undefined : wrong('a number')
    case 'positive':
      return typeof value === 'number' && value > 0 ? undefined : wrong('a number above 0')
    case 'count':
      return Number.isSafeInteger(value) && (value as number) >= 0
        ? undefined
        : wrong('a whole number from 0')
    case 'list':
      return node.items ? undefined : wrong('a list')
    case 'enum':
      return node.items && node.items.length > 0 ? undefined : wrong('a list of values')
    case 'names':
      return checkNames(part, wrong)
    case 'pattern':
      return checkPattern(part, keyword, wrong)
    case 'format':
      return checkWord(part, { keyword, words: schemaFormats, code: 'aml/schema-format' })
    case 'type':
      return checkType(part)
    case 'schema':
      return checkPart({ node, at: key, path, report })
    case 'schemas':
      if (!node.items || node.items.length === 0) return wrong('a list of schemas')
      return node.items.forEach((item, index) => inner(item, item, index))
    case 'items':
      if (!node.items) return checkPart({ node, at: key, path, report })
      return node.items.forEach((item, index) => inner(item, item, index))
    case 'schemaMap':
      if (!node.members) return wrong('an object of schemas', key)
      for (const [name, member] of node.members) {
        if (keyword === 'patternProperties') checkExpression(name, member.key, report)
        inner(member.node, member.key, name)
      }
      return
    case 'dependencies':
      if (!node.members) return wrong('an object', key)
      for (const [name, member] of node.members)
        if (!member.node.items) inner(member.node, member.key, name)
        else if (!areNames(member.node)) wrong('an object of schemas and lists of names', member.node)
  }
}

function checkNames({ node, path, report }: Fields, wrong: (what: string, at?: Span) => void): void {
  const list = node.members!.get('required')!.node
  if (!areNames(list)) {
    const message = `"${path}.required" must be a list of names of fields.`
    return report.add('aml/schema-value', list, message, asList(list, report.source))
  }
  const seen = new Set<unknown>()
  for (const item of list.items!) {
    if (seen.has(item.value)) wrong(`a list without "${String(item.value)}" twice`, item)
    seen.add(item.value)
  }
}

function areNames(node: FileNode): boolean {
  return node.items?.every(({ value }) => typeof value === 'string') === true
}

function checkPattern(part: Fields, keyword: string, wrong: (what: string) => void): void {
  const { node } = part.node.members!.get(keyword)!
  if (typeof node.value !== 'string') wrong('a text')
  else checkExpression(node.value, node, part.report)
}

function checkExpression(pattern: string, at: Span, report: Report): void {
  try {
    void new RegExp(pattern)
  } catch (error) {
    report.add('aml/schema-pattern', at, `Correct the regular expression: ${errorMessage(error)}.`)
  }
}

function checkType(part: Fields): void {
  const { node } = part.node.members!.get('type')!
  if (!node.items) return checkWord(part, { keyword: 'type', words: schemaTypes, code: 'aml/schema-type' })
  if (node.items.length === 0)
    part.report.add('aml/schema-type', node, `"${part.path}.type" must name at least one type.`)
  const seen = new Set<unknown>()
  for (const item of node.items) {
    checkWord(part, { keyword: 'type', words: schemaTypes, code: 'aml/schema-type', node: item })
    if (seen.has(item.value))
      part.report.add('aml/schema-type', item, `"${part.path}.type" must not name a type twice.`)
    seen.add(item.value)
  }
}

function checkWord(
  part: Fields,
  options: { keyword: string; words: readonly string[]; code: RuleCode; node?: FileNode },
): void {
  const { keyword, words, code } = options
  const node = options.node ?? part.node.members!.get(keyword)!.node
  if (words.some((word) => word === node.value)) return
  // YAML reads the word as no value.
  if (node.value === null && part.report.source.text.slice(node.start, node.end) === 'null') {
    const fix = replace(node, '"null"', 'Put it in quotes')
    part.report.add(code, node, `Put null in quotes in "${part.path}.${keyword}".`, fix)
    return
  }
  const near = typeof node.value === 'string' ? meantWord(node.value, words) : undefined
  part.report.add(
    code,
    node,
    `"${part.path}.${keyword}" must be one of ${words.join(', ')}${near === undefined ? '.' : `; did you mean "${near}"?`}`,
    near === undefined ? undefined : replaceText(node, near),
  )
}

const spanOf = ({ node, at }: Fields): Span => (node.end > node.start && !node.items ? node : at)
