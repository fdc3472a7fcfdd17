import { isLegalTransition, isTerminal, resultStatusesFor } from '../../../lib/contract.js'

/**
 * What must hold of a record, whatever happened to the processes that wrote it. Returns what does not, in sentences.
 * `effects` are the invocations whose tools really did something; `mayBeOpen` is for calls of living processes.
 */
export async function checkLog(crib, { effects = [], mayBeOpen = () => false, tenant = 'default' } = {}) {
  const problems = []
  const calls = new Map()
  const sequences = new Map()
  let position = 0
  for await (const event of crib.events({ from: 'start', tenant })) {
    const { stream, sequence, cursor } = event.toolcrib
    const at = Number.parseInt(cursor.slice(1), 36)
    if (at !== position + 1) problems.push(`the log goes from position ${position} to ${at}`)
    position = at
    const expected = (sequences.get(stream) ?? 0) + 1
    if (sequence !== expected)
      problems.push(`${stream} has sequence ${sequence} where ${expected} is due (${event.event_type})`)
    sequences.set(stream, sequence)
    if (event.invocation_id === undefined) continue
    const call = calls.get(event.invocation_id) ?? {
      status: undefined,
      results: [],
      types: [],
      started: false,
    }
    calls.set(event.invocation_id, call)
    problems.push(...takeEvent(call, event))
  }
  for (const [id, call] of calls) {
    const row = await crib.store.getCall(tenant, id)
    for (const problem of problemsOf(call, row, mayBeOpen(id, row))) {
      problems.push(`${id}: ${problem} (${storyOf(call)})`)
    }
  }
  for (const id of new Set(effects)) {
    if (!calls.get(id)?.started) problems.push(`${id} had an effect and is not recorded as started`)
  }
  const results = {}
  for (const { results: found } of calls.values())
    for (const { status } of found) results[status] = (results[status] ?? 0) + 1
  return { problems, calls: calls.size, events: position, results }
}

/** One event of a call, in its turn. */
export function takeEvent(call, event) {
  const problems = []
  const id = event.invocation_id
  const { status } = event.data ?? {}
  call.types.push(event.event_type)
  if (call.results.length > 0 && !mayFollowResult.has(event.event_type))
    problems.push(`${id}: ${event.event_type} comes after the result`)
  if (status !== undefined) {
    // The next hook, a second question, a changed input that is ready again: said once more, and no step.
    const isSame = status === call.status && !isTerminal(status)
    if (call.status === undefined ? status !== 'planned' : !isSame && !isLegalTransition(call.status, status))
      problems.push(`${id}: goes from ${call.status} to ${status}`)
    call.status = status
  }
  if (event.event_type === 'tool.invocation.started') call.started = true
  if (event.event_type === 'tool.result.created') call.results.push(event.data.result)
  return problems
}

const mayFollowResult = new Set(['toolcrib.result.late_discarded', 'toolcrib.result.late_answer'])

export function problemsOf(call, row, mayBeOpen = false) {
  const problems = []
  if (!row) return ['it has events and no row']
  if (row.status !== call.status) problems.push(`its row says ${row.status}, its events say ${call.status}`)
  if (!isTerminal(call.status)) {
    if (call.status !== 'awaiting_approval' && !mayBeOpen) problems.push(`it was left ${call.status}`)
    if (call.results.length > 0) problems.push(`it has a result and is ${call.status}`)
    if (row.owner === undefined) problems.push(`it is ${call.status} and nobody owns it`)
    return problems
  }
  if (row.owner !== undefined) problems.push('it has ended and still has an owner')
  if (call.results.length !== 1) return [...problems, `it has ${call.results.length} results`]
  const [result] = call.results
  if (!resultStatusesFor[call.status].includes(result.status))
    problems.push(`it ended ${call.status} with a result that is ${result.status}`)
  if (result.is_error !== (call.status !== 'succeeded'))
    problems.push(`it ended ${call.status} and is_error is ${result.is_error}`)
  if (result.is_error && result.error === undefined) problems.push('its result is an error without an error')
  if (row.resultStatus !== result.status)
    problems.push(`its row says ${row.resultStatus}, its result says ${result.status}`)
  return problems
}

export function storyOf({ types }) {
  const short = types.map(shortType)
  return short.length <= 14
    ? short.join(' ')
    : `${short.slice(0, 10).join(' ')} … ${short.slice(-4).join(' ')}`
}

function shortType(type) {
  return type.replace(/^tool(crib)?\.(invocation\.)?/, '')
}
