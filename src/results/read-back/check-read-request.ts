import { isObject } from '../../platform/json/is-object.js'
import { checkOptions, type OptionKind } from '../../platform/validation/check-options.js'
import type { ReadRequest } from './page.js'
import { MAX_CONTEXT_LINES, MAX_MATCHES } from './search/search-limits.js'

type Keys<Request extends ReadRequest> = Readonly<Record<keyof Request, OptionKind>>

const WAYS: { readonly [By in ReadRequest['by']]: Keys<Extract<ReadRequest, { by: By }>> } = {
  lines: { by: 'text', from: 'number', count: 'number' },
  bytes: { by: 'text', offset: 'number', length: 'number' },
  pointer: { by: 'text', pointer: 'text', from: 'number', count: 'number' },
  search: {
    by: 'text',
    text: 'text',
    isRegex: 'boolean',
    ignoreCase: 'boolean',
    contextLines: 'number',
    limit: 'number',
    after: 'number',
  },
}

const LEAST: Readonly<Record<string, number>> = { count: 1, length: 1, limit: 1, after: 0, contextLines: 0 }
const MOST: Readonly<Record<string, number>> = { limit: MAX_MATCHES, contextLines: MAX_CONTEXT_LINES }

/** Throws one sentence about an invalid request; a valid request that the payload cannot meet gets a problem page. */
export function checkReadRequest(where: string, request: unknown): asserts request is ReadRequest {
  if (!isObject(request))
    throw new TypeError(`${where} takes a request such as { by: 'lines', from: 1, count: 20 }.`)
  const { by } = request
  if (typeof by !== 'string' || !Object.hasOwn(WAYS, by))
    throw new TypeError(
      `${where}: "by" must be one of ${Object.keys(WAYS).join(', ')}, not ${JSON.stringify(by) ?? 'nothing'}.`,
    )
  const place = `${where} by ${by}`
  checkOptions(place, request, WAYS[by as ReadRequest['by']])
  const wanted = by === 'pointer' ? 'pointer' : by === 'search' ? 'text' : undefined
  if (wanted !== undefined && request[wanted] === undefined)
    throw new TypeError(`${place} needs "${wanted}": ${NEEDED[wanted]}.`)
  checkNumbers(place, request as unknown as ReadRequest)
}

const NEEDED = {
  pointer: 'a JSON pointer such as "/items/0", or "" for the whole',
  text: 'what to look for; with isRegex: true it is a regular expression',
} as const

function checkNumbers(place: string, request: ReadRequest): void {
  for (const [name, value] of Object.entries(request) as [string, unknown][]) {
    if (typeof value !== 'number') continue
    if (!Number.isSafeInteger(value)) throw new TypeError(`${place}: "${name}" must be a whole number.`)
    // Lines and bytes may be counted from the end; items at a pointer may not.
    const least = name === 'from' && request.by === 'pointer' ? 0 : LEAST[name]
    if (least !== undefined && value < least)
      throw new TypeError(`${place}: "${name}" must be at least ${least}, not ${value}.`)
    const most = MOST[name]
    if (most !== undefined && value > most)
      throw new TypeError(`${place}: "${name}" must be at most ${most}, not ${value}.`)
  }
  if (request.by === 'lines' && request.from === 0)
    throw new TypeError(`${place}: "from" counts from 1, and from -1 backwards from the end, so it is not 0.`)
}
