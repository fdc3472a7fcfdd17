import type { ToolEvent } from '../../../../contract/objects/tool-event.js'
import type { ToolInvocation } from '../../../../contract/objects/tool-invocation.js'
import type { Crib } from '../../../../crib/crib.js'
import type { ExitCode, Given } from '../../program/command.js'
import { describeEvent } from '../../record/describe-event.js'
import { durationText } from '../../terminal/duration-text.js'
import { shortId } from '../../calls/find-call.js'
import { cutText, fitText, padText } from '../../terminal/fit-text.js'
import { clientOf, isOfClient } from '../../record/caller-text.js'
import { lastEvents } from '../../record/last-events.js'
import { matchesFilters, readLogFilters, type LogFilters } from '../../record/log-filters.js'
import { openRecord } from '../../record/open-record.js'
import { oneLine } from '../../../../platform/text/printable.js'
import { usageProblem } from '../../program/usage-problem.js'
import { paintStatus, statusMark } from '../../terminal/status-mark.js'
import { wordOf } from '../../terminal/status-words.js'
import { nameOf } from '../../record/story-lines.js'
import type { Terminal } from '../../terminal/terminal.js'
import { shortTime } from '../../terminal/short-time.js'

interface LogRun {
  crib: Crib
  terminal: Terminal
  filters: LogFilters
  asJson: boolean
  follow: boolean
  /** Aborted by Ctrl-C, or when the reader closes the pipe. */
  ended: AbortSignal
}

export async function run({ options }: Given, terminal: Terminal): Promise<ExitCode> {
  const filters = await readLogFilters(options, Date.now())
  const ofEvents = options['events'] === true
  if (ofEvents && (filters.status ?? filters.actor ?? filters.session ?? filters.client) !== undefined) {
    throw usageProblem(
      '--events goes with --tool, --since, --limit and --follow only; the other filters are for calls.',
    )
  }
  const follow = options['follow'] === true
  const record = await openRecord(options, { create: follow })
  if ('missing' in record) {
    if (!options.json) terminal.say(`Nothing was recorded yet in ${record.missing}.`)
    return 0
  }
  const { crib } = record
  const interrupt = new AbortController()
  const onInterrupt = (): void => interrupt.abort()
  process.once('SIGINT', onInterrupt)
  process.once('SIGTERM', onInterrupt)
  const ended = AbortSignal.any([interrupt.signal, terminal.unread])
  const asJson = options.json === true
  try {
    await (ofEvents ? logEvents : logCalls)({ crib, terminal, filters, asJson, follow, ended })
    return 0
  } finally {
    await crib.close()
  }
}

async function logCalls(log: LogRun): Promise<void> {
  const { crib, filters, follow, ended } = log
  // The position is read before the list: a call that ends in between is then shown twice, not never.
  const position = await crib.store.lastPosition()
  const newest = await newestCalls(crib, filters)
  const ownEnd = new Set<string>()
  for (const invocation of newest.toReversed()) {
    printCall(invocation, log)
    if (invocation.ended_at !== undefined) ownEnd.add(invocation.invocation_id)
  }
  if (!follow) {
    if (newest.length === 0 && !log.asJson) log.terminal.say('No call matches.')
    return
  }
  const { toCursor } = await import('../../../../storage/journal/complete-event.js')
  for await (const event of crib.events({ from: toCursor(position), follow, signal: ended })) {
    const { event_type: type, invocation_id: id } = event
    if (type !== 'tool.result.created' || id === undefined || ownEnd.delete(id)) continue
    const invocation = await crib.invocation(id)
    if (invocation && matchesFilters(invocation, filters)) printCall(invocation, log)
  }
}

/** The store cannot filter by client: calls are read until enough of them match. */
async function newestCalls(crib: Crib, { limit, client, ...query }: LogFilters): Promise<ToolInvocation[]> {
  const newest: ToolInvocation[] = []
  const asked = { ...query, newestFirst: true, ...(client === undefined && { limit }) }
  for await (const invocation of crib.invocations(asked)) {
    if (client === undefined || isOfClient(invocation, client)) newest.push(invocation)
    if (newest.length === limit) break
  }
  return newest
}

function printCall(invocation: ToolInvocation, { terminal, asJson }: LogRun): void {
  if (asJson) return terminal.printJson(invocation)
  const { style, columns } = terminal
  const { status, created_at: from, ended_at: to } = invocation
  const time = shortTime(from, new Date())
  const words = fitText(wordOf(status), 9)
  const took = (to === undefined ? '' : durationText(Date.parse(to) - Date.parse(from))).padStart(11)
  const id = shortId(invocation.invocation_id)
  const client = clientOf(invocation)
  const name = padText(
    oneLine(client === undefined ? nameOf(invocation) : `${nameOf(invocation)} via ${client}`),
    Math.max(12, columns - time.length - words.length - took.length - id.length - 8),
  )
  const mark = paintStatus(status, `${statusMark(status)} ${words}`, style)
  terminal.print(`${style.dim(time)} ${mark} ${name} ${took}  ${style.dim(id)}`)
}

async function logEvents(log: LogRun): Promise<void> {
  const { crib, filters, follow, ended } = log
  const matches = ({ tool_id: tool, time }: ToolEvent): boolean =>
    (filters.tool === undefined || tool === filters.tool) &&
    (filters.since === undefined || Date.parse(time) >= filters.since)
  const { events, cursor } = await lastEvents(crib, { limit: filters.limit, matches })
  for (const event of events) printEvent(event, log)
  if (!follow) return
  for await (const event of crib.events({ from: cursor, follow, signal: ended })) {
    if (matches(event)) printEvent(event, log)
  }
}

function printEvent(event: ToolEvent, { terminal, asJson }: LogRun): void {
  if (asJson) return terminal.printJson(event)
  const { style, columns } = terminal
  const about = event.invocation_id ? shortId(event.invocation_id) : ''
  const start = `${shortTime(event.time, new Date())} ${about.padEnd(11)} `
  const what = event.invocation_id ? describeEvent(event) : `${describeEvent(event)} ${subjectOf(event)}`
  terminal.print(`${style.dim(start)} ${terminal.isShown ? cutText(what, columns - start.length - 1) : what}`)
}

function subjectOf({ data = {} }: ToolEvent): string {
  const declared = data['declaration'] as { tool_id?: string } | undefined
  return oneLine(declared?.tool_id ?? '')
}
