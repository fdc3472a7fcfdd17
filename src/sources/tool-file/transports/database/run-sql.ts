import { Readable } from 'node:stream'
import type { NativeFacts } from '../../../../catalog/native.js'
import { toolOutput, type ToolOutput } from '../../../../catalog/tool-output.js'
import type { JsonSchema } from '../../../../contract/json-schema.js'
import { failure } from '../../../http/to-failure.js'
import { shapeOf, type RowCounts } from './result-shape.js'

import type { Answer, Row, Statement } from './session.js'
import { SqlFailed } from './sql-problem.js'
import { beginTransaction, type DatabaseCall, type Transaction } from './transaction.js'

/** What a call may read. A result that is longer fails: half of it would look like the whole. */
export interface DatabaseLimits {
  readonly maxRows: number
  /** Of the result as JSON. */
  readonly maxBytes: number
  /** Results up to this size are returned in one piece; longer ones are streamed to the store. */
  readonly inlineBytes: number
}

export const DEFAULT_LIMITS: DatabaseLimits = {
  maxRows: 100_000,
  maxBytes: 64 * 1024 * 1024,
  inlineBytes: 1024 * 1024,
}

export interface SqlCall extends DatabaseCall {
  readonly statement: Statement
  readonly output: JsonSchema
  readonly limits: DatabaseLimits
}

/** Runs one statement in a transaction of its own. A streamed result ends only after the transaction did. */
export async function runSql(call: SqlCall): Promise<ToolOutput> {
  const transaction = await beginTransaction(call)
  let answer: Answer
  try {
    answer = await transaction.query(call.statement)
  } catch (error) {
    throw await transaction.fail(error)
  }
  const parts = writeResult(call, { transaction, answer })
  const held: string[] = []
  let bytes = 0
  for (;;) {
    const { done, value } = await parts.next()
    if (done)
      return toolOutput({
        structured: JSON.parse(held.join('')) as unknown,
        native: nativeOf(call, answer, value),
      })
    held.push(value)
    bytes += Buffer.byteLength(value)
    if (bytes > call.limits.inlineBytes) return streamed(held, parts, nativeOf(call, answer))
  }
}

type Parts = AsyncGenerator<string, RowCounts, void>

function streamed(held: readonly string[], rest: Parts, native: NativeFacts): ToolOutput {
  async function* all(): AsyncGenerator<string> {
    yield* held
    yield* rest
  }
  const stream = Readable.from(all(), { objectMode: false })
  // A stream that nobody has begun to read does not run its generator, nor the end of it.
  stream.once('close', () => void rest.return({ rows: 0 }).catch(() => {}))
  return toolOutput({ stream, mediaType: 'application/json', native })
}

/** The number of rows is known only at the end, and not before a stream. */
function nativeOf({ native }: SqlCall, { columns, facts }: Answer, counts?: RowCounts): NativeFacts {
  const { queryId, affectedRows } = facts()
  return {
    ...native,
    ...(columns.length > 0 && { columns: columns.map(({ name, type }) => ({ name, type })) }),
    ...(counts && { row_count: counts.rows }),
    ...(counts && affectedRows !== undefined && { affected_rows: affectedRows }),
    ...(queryId !== undefined && { query_id: queryId }),
  }
}

interface Writing {
  readonly transaction: Transaction
  readonly answer: Answer
}

/** The output as JSON, in parts. The last part comes after the end of the transaction. */
async function* writeResult(call: SqlCall, { transaction, answer }: Writing): Parts {
  const { limits } = call
  const { list, toItem, toRest, needsRow } = shapeOf(call.output, answer.columns)
  let [rows, bytes] = [0, 0]
  let first: Row | undefined
  let isOver = false
  try {
    if (list !== undefined) yield `{${JSON.stringify(list)}:[`
    for await (const batch of answer.rows) {
      first ??= batch[0]
      const isLater = rows > 0
      rows += batch.length
      if (rows > limits.maxRows) throw tooLarge(call, `more than ${limits.maxRows} rows`)
      if (list === undefined) continue
      const text = batch.map((row) => JSON.stringify(toItem(row))).join(',')
      bytes += Buffer.byteLength(text)
      if (bytes > limits.maxBytes) throw tooLarge(call, `more than ${limits.maxBytes} bytes`)
      yield isLater ? `,${text}` : text
    }
    isOver = true
    if (needsRow && !first) throw await transaction.fail(noRow(call))
    await transaction.finish()
    const counts = { rows, ...answer.facts() }
    const rest = JSON.stringify(toRest(first, counts))
    yield list === undefined ? rest : rest === '{}' ? ']}' : `],${rest.slice(1)}`
    return counts
  } catch (error) {
    if (isOver || !(error instanceof SqlFailed)) throw error
    isOver = true
    throw await transaction.fail(error)
  } finally {
    // Nobody reads the rest of the rows.
    if (!isOver) await transaction.abandon()
  }
}

function tooLarge({ toolId, native }: SqlCall, what: string): Error {
  return failure(`The result of "${toolId}" has ${what}; narrow the call, or add a LIMIT to its SQL.`, {
    errorClass: 'execution_failed',
    code: 'toolcrib.answer_too_large',
    needsOtherArguments: true,
    nothingHappened: true,
    native,
  })
}

function noRow({ toolId, native }: SqlCall): Error {
  return failure(`"${toolId}" found no row for these arguments.`, {
    errorClass: 'execution_failed',
    code: 'toolcrib.no_row',
    needsOtherArguments: true,
    nothingHappened: true,
    native,
  })
}
