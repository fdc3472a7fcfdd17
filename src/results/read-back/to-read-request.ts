import type { FromSchema } from '../../contract/json-schema.js'
import { withoutUndefined } from '../../platform/json/without-undefined.js'
import type { ReadRequest } from './page.js'
import { readRequestSchema } from './read-request-schema.js'
import { MAX_CONTEXT_LINES, MAX_MATCHES } from './search/search-limits.js'

export type ReadArguments = FromSchema<typeof readRequestSchema>

/** How the caller spells the name of an argument. */
export type Spell = (name: keyof ReadArguments) => string

/** The request for a model's arguments, or one sentence about their contradiction. */
export function toReadRequest(
  args: ReadArguments,
  spell: Spell = (name) => name,
): ReadRequest | { problem: string } {
  const problem = contradiction(args, spell) ?? badNumber(args, spell)
  if (problem !== undefined) return { problem }
  if (args.search !== undefined) return toSearch(args, args.search)
  if (args.pointer !== undefined)
    return {
      by: 'pointer',
      pointer: args.pointer,
      ...withoutUndefined({ from: args.offset, count: args.length }),
    }
  if (args.offset !== undefined || args.length !== undefined)
    return { by: 'bytes', ...withoutUndefined({ offset: args.offset, length: args.length }) }
  return { by: 'lines', ...withoutUndefined({ from: args.line, count: args.lines }) }
}

function toSearch(args: ReadArguments, text: string): ReadRequest | { problem: string } {
  if (text === '') return { problem: 'The text to search for is empty: give at least one character.' }
  return {
    by: 'search',
    text,
    ...withoutUndefined({
      isRegex: args.regex,
      ignoreCase: args.ignore_case,
      contextLines: args.context,
      limit: args.limit,
      after: args.after,
    }),
  }
}

function contradiction(args: ReadArguments, spell: Spell): string | undefined {
  const isGiven = (names: readonly (keyof ReadArguments)[]) =>
    names.filter((name) => args[name] !== undefined)
  const byLines = isGiven(['line', 'lines'])
  const byBytes = isGiven(['offset', 'length'])
  const searching = isGiven(['regex', 'ignore_case', 'context', 'limit', 'after'])
  const ways: (keyof ReadArguments)[] = [
    ...(args.search === undefined ? [] : ['search' as const]),
    ...(args.pointer === undefined ? byBytes.slice(0, 1) : ['pointer' as const]),
    ...byLines.slice(0, 1),
    ...(args.search !== undefined && args.pointer !== undefined ? byBytes.slice(0, 1) : []),
  ]
  if (ways.length > 1)
    return (
      `${ways.map(spell).join(' and ')} cannot be given together: read by ${spell('line')} and ${spell('lines')}, ` +
      `by ${spell('offset')} and ${spell('length')}, by ${spell('pointer')}, or by ${spell('search')}.`
    )
  if (args.search === undefined && searching.length > 0) {
    const first = spell(searching[0]!)
    return `${first} belongs to a search: give the text to find as ${spell('search')}, or leave ${first} out.`
  }
  return undefined
}

function badNumber(args: ReadArguments, spell: Spell): string | undefined {
  const { line, offset, pointer } = args
  for (const name of ['line', 'lines', 'offset', 'length', 'context', 'limit', 'after'] as const) {
    if (args[name] !== undefined && !Number.isSafeInteger(args[name]))
      return `${spell(name)} must be a whole number.`
  }
  if (line === 0) return 'Lines are counted from 1, and from -1 backwards from the end: give another line.'
  if (pointer !== undefined && offset !== undefined && offset < 0)
    return `With a pointer, ${spell('offset')} counts from 0: give one that is not negative.`
  const tooLow = (['lines', 'length', 'limit'] as const).find((name) => (args[name] ?? 1) < 1)
  if (tooLow !== undefined) return `${spell(tooLow)} must be at least 1.`
  if ((args.after ?? 0) < 0) return `${spell('after')} must be at least 0.`
  if ((args.context ?? 0) < 0 || (args.context ?? 0) > MAX_CONTEXT_LINES)
    return `${spell('context')} must be from 0 to ${MAX_CONTEXT_LINES}.`
  if ((args.limit ?? 1) > MAX_MATCHES) return `${spell('limit')} must be at most ${MAX_MATCHES}.`
  return undefined
}
