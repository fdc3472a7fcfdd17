import type { CompiledTool, FileProblem, ToolType } from '../compiled.js'
import { decode, type ReadFile } from '../read/decode.js'
import type { FileNode } from '../read/file-node.js'
import { FILE_START, problemAt } from '../read/report.js'
import { splitSql } from '../sql-parameters.js'
import { nearestWord } from '../../../platform/config/nearest-word.js'
import { given, objectField, type Fields } from './fields.js'

const WRITES = /^(?:insert|update|delete|merge|truncate|drop|alter|create|grant|revoke|replace|call)\b/i

export interface CheckedSql {
  readonly sql?: string | undefined
  readonly problems: readonly FileProblem[]
}

interface SqlContext {
  readonly root: Fields
  readonly transport: CompiledTool['transport']
  readonly type: ToolType | undefined
  readonly input: FileNode | undefined
}

/** The SQL of a database tool, checked against its input. */
export function checkSql(file: ReadFile | undefined, context: SqlContext): CheckedSql {
  const { root, transport } = context
  if (transport?.type !== 'database' || transport.query_method !== 'parameterised-sql') {
    // A transport with problems of its own says nothing about the SQL.
    if (!file || (given(root, 'transport') && !transport)) return { problems: [] }
    const message = 'No tool uses this file; its tool needs query_method: parameterised-sql.'
    return { problems: [problemAt('aml/unused-sql', { file: file.file, at: FILE_START, message })] }
  }
  if (!file) {
    const fields = objectField(root, 'transport')!
    const id = given(root, 'tool_id')?.node.value
    root.report.add(
      'aml/missing-sql',
      given(fields, 'query_method')?.node ?? fields.at,
      `Write the statement into ${typeof id === 'string' ? `tools/${id}` : 'tools/<tool_id>'}.sql.`,
    )
    return { problems: [] }
  }
  const report = decode(file)
  const { text } = report.source
  const { parts, positional, unclosed, statements } = splitSql(text, transport.engine)
  if (statements === 0)
    report.add('aml/empty-sql', { start: 0, end: 0 }, 'Write the statement into this file.')
  if (unclosed)
    report.add(
      'aml/sql-syntax',
      { start: unclosed.start, end: unclosed.start + 1 },
      `Close this ${unclosed.what}.`,
    )
  for (const { text: placeholder, start } of positional)
    report.add(
      'aml/sql-placeholder',
      { start, end: start + placeholder.length },
      `Write :field instead of ${placeholder}, with the name of an input field.`,
    )
  if (statements > 1)
    report.add('aml/sql-statements', { start: 0, end: 0 }, 'Write one statement; call a procedure for more.')
  if (context.type === 'retrieval') checkReading(text, report)
  checkParameters(parts, { ...context, report })
  return { sql: text.replace(/^\uFEFF/, ''), problems: report.problems }
}

function checkReading(text: string, report: Fields['report']): void {
  const [blank = ''] = /^\uFEFF?(?:\s|--[^\n]*\n|\/\*[\s\S]*?\*\/)*/.exec(text) ?? []
  const [word] = WRITES.exec(text.slice(blank.length)) ?? []
  if (word !== undefined)
    report.add(
      'aml/retrieval-writes',
      { start: blank.length, end: blank.length + word.length },
      `A retrieval tool only reads; use type action for ${word.toUpperCase()}.`,
    )
}

function checkParameters(
  parts: ReturnType<typeof splitSql>['parts'],
  { input, root, report }: SqlContext & { report: Fields['report'] },
): void {
  const properties = input?.members?.get('properties')?.node.members
  if (!input) return
  const names = [...(properties?.keys() ?? [])]
  const used = new Set<string>()
  for (const part of parts) {
    if (part.kind !== 'parameter') continue
    used.add(part.name)
    if (names.includes(part.name)) continue
    const near = nearestWord(part.name, names)
    report.add(
      'aml/sql-parameter',
      part,
      `:${part.name} is no field of interface.input${near === undefined ? '; add it there.' : `; did you mean :${near}?`}`,
      near === undefined
        ? undefined
        : { title: `Change it to :${near}`, start: part.start, end: part.end, text: `:${near}` },
    )
  }
  for (const [name, { key }] of properties ?? [])
    if (!used.has(name))
      root.report.add(
        'aml/unused-input',
        key,
        `The SQL does not use the input field "${name}"; add :${name} to it, or remove the field.`,
      )
}
