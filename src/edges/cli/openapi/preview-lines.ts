import { oneLine } from '../../../platform/text/printable.js'
import type { OpenapiPreview, PreviewedOperation } from '../../../sources/openapi/preview.js'
import { fitText, padText, widthOf, wrapText } from '../terminal/fit-text.js'
import type { Styles } from '../terminal/styles.js'
import { credentialRemedy } from './credential-remedy.js'

export interface PreviewLinesOptions {
  /** The operations that would become tools. */
  readonly chosen: readonly PreviewedOperation[]
  readonly style: Styles
  readonly columns: number
}

const MOST_OPERATIONS = 12
const MOST_TAGS = 24
const MOST_PROBLEMS = 5

/** What a document would add: counts, tags, the first operations, problems, and credentials to set. */
export function previewLines(preview: OpenapiPreview, options: PreviewLinesOptions): string[] {
  const { style, columns, chosen } = options
  const wrap = (text: string): string[] => wrapText(oneLine(text), columns - 2).map((line) => `  ${line}`)
  const title = `${preview.title ?? preview.name} ${preview.version ?? ''}`
  return [
    ...wrapText(oneLine(title).trim(), columns).map((line) => style.bold(line)),
    ...preview.servers.flatMap(wrap),
    ...wrap(countSentence(preview, chosen)),
    ...tagLines(preview, wrap),
    '',
    ...operationLines(chosen, options),
    ...problemLines(preview, wrap),
    ...credentialLines(preview, options, wrap),
  ]
}

/** `5 of 20 operations: 3 read, 1 writes, 1 destroys; 1,210 tokens`. */
export function countSentence(
  { operations }: Pick<OpenapiPreview, 'operations'>,
  chosen: readonly PreviewedOperation[],
): string {
  const risks = [
    ['reads', 'read'],
    ['writes', 'write'],
    ['destroys', 'destroy'],
  ].flatMap(([risk, several]) => {
    const count = chosen.filter((operation) => operation.risk === risk).length
    return count === 0 ? [] : [`${count} ${count === 1 ? risk : several}`]
  })
  const of = chosen.length === operations.length ? '' : ` of ${operations.length}`
  const noun = operations.length === 1 ? 'operation' : 'operations'
  const tokens = chosen.reduce((sum, operation) => sum + operation.tokens, 0)
  return `${chosen.length}${of} ${noun}: ${risks.join(', ')}; ${tokens.toLocaleString('en')} tokens as tools`
}

function tagLines({ tags }: OpenapiPreview, wrap: (text: string) => string[]): string[] {
  if (tags.length === 0) return []
  const named = tags.slice(0, MOST_TAGS).map(({ name, operations }) => `${name} (${operations})`)
  const more = tags.length > MOST_TAGS ? `, and ${tags.length - MOST_TAGS} more` : ''
  return wrap(`tags: ${named.join(', ')}${more}`)
}

type Cells = readonly [name: string, method: string, path: string, risk: string, tokens: string]

const HEAD: Cells = ['operation', 'method', 'path', 'risk', 'tokens']
const GAP = 2

function operationLines(
  chosen: readonly PreviewedOperation[],
  { style, columns }: PreviewLinesOptions,
): string[] {
  const rows = chosen.slice(0, MOST_OPERATIONS).map(cellsOf)
  const widths = columnWidths([HEAD, ...rows], columns)
  const line = (cells: Cells): string =>
    cells
      .map((cell, at) => {
        const width = widths[at]!
        if (at === cells.length - 1) return cell.padStart(width)
        return columns === Infinity ? padText(cell, width) : fitText(cell, width)
      })
      .join(' '.repeat(GAP))
  const more = chosen.length - rows.length
  return [
    style.dim(line(HEAD)),
    ...rows.map(line),
    ...(more > 0 ? [style.dim(`… and ${more} more; with --json all of them are listed`)] : []),
  ]
}

function cellsOf({ name, method, path, risk, tokens, deprecated }: PreviewedOperation): Cells {
  return [
    oneLine(name),
    oneLine(method),
    `${deprecated ? '(deprecated) ' : ''}${oneLine(path)}`,
    risk,
    tokens.toLocaleString('en'),
  ]
}

/** Names and paths share the space that the other columns leave. */
function columnWidths(rows: readonly Cells[], columns: number): number[] {
  const [name, method, path, risk, tokens] = HEAD.map((_, at) =>
    Math.max(...rows.map((cells) => widthOf(cells[at]!))),
  ) as [number, number, number, number, number]
  const left = Math.max(16, columns - method - risk - tokens - GAP * 4)
  if (name + path <= left) return [name, method, path, risk, tokens]
  const nameWidth = Math.min(name, Math.max(Math.floor(left / 2), left - path))
  return [nameWidth, method, left - nameWidth, risk, tokens]
}

function problemLines({ problems }: OpenapiPreview, wrap: (text: string) => string[]): string[] {
  if (problems.length === 0) return []
  const more = problems.length - MOST_PROBLEMS
  return [
    '',
    `The document has ${problems.length === 1 ? 'a problem' : `${problems.length} problems`}:`,
    ...problems
      .slice(0, MOST_PROBLEMS)
      .flatMap(({ at, message }) => wrap(at === '' ? message : `${at}: ${message}`)),
    ...(more > 0 ? [`  … and ${more} more; with --json all of them are listed`] : []),
  ]
}

/** Only credentials that the chosen operations use. A command has a line of its own, so that it is copied as a whole. */
function credentialLines(
  { credentials }: OpenapiPreview,
  { chosen }: PreviewLinesOptions,
  wrap: (text: string) => string[],
): string[] {
  const missing = credentials.filter(
    (each) => each.missing !== undefined && chosen.some((operation) => isUsedBy(operation, each.name)),
  )
  if (missing.length === 0) return []
  const count = chosen.filter((operation) => missing.some(({ name }) => isUsedBy(operation, name))).length
  return [
    '',
    count === 1 ? '1 operation needs a credential first:' : `${count} operations need a credential first:`,
    ...missing.flatMap(({ name, type, missing: sentence }) => {
      const { words, command } = credentialRemedy(sentence!)
      return [
        ...wrap(`${name} (${type}): ${words}`),
        ...(command === undefined ? [] : [`    ${oneLine(command)}`]),
      ]
    }),
  ]
}

const isUsedBy = ({ credentials }: PreviewedOperation, name: string): boolean => credentials.includes(name)
