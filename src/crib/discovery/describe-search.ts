import { LOADED_PREFIX } from '../../surfaces/loaded-tools-in.js'
import type { FoundTools } from './found-tools.js'
import type { SearchCandidate } from './search-candidate.js'

/** The text of a search result for a model: what it can call now, or what to do instead. */
export function describeSearch(found: FoundTools): string {
  const { candidates, near_misses, loaded, up_front, left_out, way, tools } = found.toolcrib
  const upFront = new Set(up_front)
  const isReady = new Set(loaded.filter((toolId) => !upFront.has(toolId)))
  const namesOf = (ids: ReadonlySet<string>): string[] =>
    candidates.filter(({ tool_id }) => ids.has(tool_id)).map(({ call_name }) => call_name)
  const stateOf = ({ tool_id, loading_state }: SearchCandidate): string => {
    if (upFront.has(tool_id)) return ', in your list'
    if (isReady.has(tool_id)) return ''
    return loading_state === 'pending_provider' ? ', still connecting' : ', not loaded'
  }
  const lines = candidates.slice(0, MAX_NAMES).map((each) => describeCandidate(each, stateOf(each)))
  if (isReady.size > 0)
    lines.push(`${LOADED_PREFIX}${namesOf(isReady).join(', ')}`, way === 'pair' ? THROUGH_CALL : DIRECTLY)
  if (way === 'pair') for (const tool of tools ?? []) lines.push(JSON.stringify(tool))
  const later = namesOf(new Set(left_out))
  if (later.length > 0) lines.push(`Found too, not loaded: select:${later.slice(0, MAX_NAMES).join(',')}`)
  const missing = found.missing_names ?? []
  if (missing.length > 0) {
    const told = missing.slice(0, MAX_NAMES).map((name) => `"${name}"`)
    lines.push(`No tool is named ${told.join(', ')}.`)
  }
  if (candidates.length === 0 && missing.length === 0) lines.push('No tool matches.')
  if (near_misses.length > 0) {
    const near = near_misses.map(({ selection_ref, description }) => `${selection_ref} (${description})`)
    lines.push(`Nearest: ${near.join('; ')}`)
  }
  const pending = found.pending_providers ?? []
  if (pending.length > 0) lines.push(`Still connecting: ${pending.join(', ')}. Search again soon.`)
  else if (candidates.length === 0) lines.push('Try other words for what the tool should do.')
  return lines.join('\n')
}

/** A query may contain thousands of names; the text stays short. */
const MAX_NAMES = 20
const DIRECTLY = 'Call by these names; your list of tools has them from the next turn on.'
const THROUGH_CALL = 'Call with tool__call, by name and arguments. Schemas:'

function describeCandidate(
  { call_name, score, reason, description }: SearchCandidate,
  state: string,
): string {
  return `- ${call_name} (${score}, ${reason}${state}): ${description}`
}
