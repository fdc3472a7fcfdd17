import { isoTime } from '../../contract/iso-time.js'
import type { ToolEvent } from '../../contract/objects/tool-event.js'
import type { ToolHook } from '../../contract/objects/tool-hook.js'
import { SCHEMA_VERSION } from '../../contract/unions.js'
import type { EventDraft } from '../event-list.js'
import type { LoggedCall, LoggedChunk } from '../store.js'
import { statusOfEvent } from './event-status.js'
import type { JudgedData } from '../decision-data.js'
import { completeDecision, completeHook } from './project-call.js'

export const EVENT_SOURCE = 'toolcrib'

/** The id of the n-th event of a stream: no two streams share a name, so it needs no randomness of its own. */
export function eventIdOf(stream: string, sequence: number): string {
  return `evt_${stream}_${sequence}`
}

/** The standard's event record: a draft, and what follows from its position in the log. */
export function completeEvent(
  { stream, call }: Pick<LoggedChunk, 'stream' | 'call'>,
  draft: EventDraft,
  { sequence, position }: { sequence: number; position?: number | undefined },
): ToolEvent {
  const event: ToolEvent = {
    schema_version: SCHEMA_VERSION,
    event_id: eventIdOf(stream, sequence),
    event_type: draft.type,
    source: EVENT_SOURCE,
    subject: stream,
    time: isoTime(draft.at),
    data: completeData(draft, call, sequence),
    toolcrib: { stream, sequence, ...(position !== undefined && { cursor: toCursor(position) }) },
  }
  if (call) {
    event.invocation_id = call.invocationId
    event.tool_id = call.toolId
  } else {
    const toolId = toolIdIn(event.data!)
    if (toolId !== undefined) event.tool_id = toolId
  }
  return event
}

/** The tool that an event of the catalog or of a surface is about, if any. */
function toolIdIn({ tool_id: own, declaration }: Record<string, unknown>): string | undefined {
  const named = own ?? (declaration as { tool_id?: unknown } | undefined)?.tool_id
  return typeof named === 'string' ? named : undefined
}

/** Records inside an event are complete: a decision gets its id and time, and every change of status is named. */
export function completeData(
  draft: EventDraft,
  call: LoggedCall | undefined,
  sequence: number,
): Record<string, unknown> {
  // A result is the whole data of its event: it is stored without a wrapper.
  if (draft.type === 'tool.result.created') return { result: draft.data }
  const data: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(draft.data ?? {})) if (value !== undefined) data[key] = value
  if (!call) return data
  const status = statusOfEvent(draft)
  if (status !== undefined) data['status'] = status
  if (draft.type === 'tool.invocation.planned') Object.assign(data, plannedFacts(call))
  const { decision, judged } = data
  if (typeof decision === 'object' && decision !== null) {
    const place = { sequence, at: draft.at, judged: judged as JudgedData | undefined }
    data['decision'] = completeDecision(decision, call.invocationId, place)
    delete data['judged']
  }
  if (typeof data['hook'] === 'object' && data['hook'] !== null) {
    data['hook'] = completeHook(data['hook'] as ToolHook, call.invocationId, sequence)
  }
  return data
}

function plannedFacts({ surfaceId, actor, session }: LoggedCall): Record<string, unknown> {
  return {
    surface_id: surfaceId,
    ...(actor !== undefined && { actor }),
    ...(session !== undefined && { session }),
  }
}

export function toCursor(position: number): string {
  return `p${position.toString(36)}`
}

/** `undefined` when the text is not a cursor of ours. */
export function fromCursor(cursor: string): number | undefined {
  return /^p[0-9a-z]{1,11}$/.test(cursor) ? Number.parseInt(cursor.slice(1), 36) : undefined
}
