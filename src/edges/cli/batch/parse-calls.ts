import { nearestWord } from '../../../platform/config/nearest-word.js'
import { jsonMistakeAt } from '../../../platform/json/json-mistake-at.js'
import { CallNames, type BatchCall } from '../../../crib/batches/batch-calls.js'
import { parseBatchCall } from './parse-batch-call.js'
import { usageProblem } from '../program/usage-problem.js'

/** The calls of a file. */
export interface CallsFile {
  calls: readonly ListedCall[]
  /** As written in the file. */
  policy: unknown
}

export interface ListedCall {
  call: BatchCall
  /** The indexes, from 0, of the calls that it depends on. */
  after: readonly number[]
}

/** A list of calls, an object with calls and policy, or one call per line. Any error ends the command. */
export function parseCalls(given: string, from: string): CallsFile {
  const text = given.replace(/^\uFEFF/, '')
  if (text.trim() === '') throw usageProblem(`${from} is empty; it must hold ${LIKE}.`)
  if (isLines(text, from)) return { calls: listCalls(parseLines(text, from)), policy: undefined }
  const value = parseWhole(text, from)
  if (Array.isArray(value)) return { calls: listCalls(placed(value, from)), policy: undefined }
  if (typeof value !== 'object' || value === null)
    throw usageProblem(`${from} holds neither a list nor an object; it must hold ${LIKE}.`)
  if (!('calls' in value)) return { calls: listCalls(placed([value], from)), policy: undefined }
  const { calls, policy, ...rest }: Record<string, unknown> = { ...value }
  const [stray] = Object.keys(rest)
  if (stray !== undefined) {
    const near = nearestWord(stray, ['calls', 'policy'])
    const hint = near ? `did you mean "${near}"?` : 'beside "calls" only "policy" may stand.'
    throw usageProblem(`${from} has a field "${stray}" that it cannot have; ${hint}`)
  }
  if (!Array.isArray(calls)) throw usageProblem(`"calls" in ${from} must be a list of calls.`)
  return { calls: listCalls(placed(calls, from)), policy }
}

const LIKE = '[{"name": "math.add", "input": {"a": 1, "b": 2}}], or one such call per line'

/** A value of the file, and its position. */
interface Placed {
  value: unknown
  place: string
}

const placed = (values: readonly unknown[], from: string): Placed[] =>
  values.map((value, index) => ({ value, place: `Call ${index + 1} of ${from}` }))

/** One call per line: by the name of the file, or if its first line is a whole object and more lines follow. */
function isLines(text: string, from: string): boolean {
  if (/\.(jsonl|ndjson)$/i.test(from)) return true
  const [first = '', ...more] = text.split('\n').filter((line) => line.trim() !== '')
  return more.length > 0 && first.trimStart().startsWith('{') && isJson(first)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function parseLines(text: string, from: string): Placed[] {
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return []
    const place = `Line ${index + 1} of ${from}`
    if (!isJson(line)) throw notJson(place, `column ${jsonMistakeAt(line) + 1}`)
    return [{ value: JSON.parse(line) as unknown, place }]
  })
}

function parseWhole(text: string, from: string): unknown {
  if (isJson(text)) return JSON.parse(text) as unknown
  const before = text.slice(0, jsonMistakeAt(text)).split('\n')
  throw notJson(from, `line ${before.length}, column ${before.at(-1)!.length + 1}`)
}

// Only the position: the content may be a secret.
const notJson = (what: string, where: string): Error =>
  usageProblem(`${what} is not valid JSON (see ${where}); nothing was called.`)

/** Also finds duplicate ids, and dependencies that no earlier call satisfies. */
function listCalls(values: readonly Placed[]): ListedCall[] {
  const names = new CallNames()
  return values.map(({ value, place }) => {
    const call = parseBatchCall(value, place)
    try {
      return { call, after: names.note(call) }
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      throw usageProblem(`${place}: ${error.message}`)
    }
  })
}
