import type { ToolEvent } from '../../../contract/objects/tool-event.js'
import type { ToolProgress } from '../../../contract/objects/tool-progress.js'
import type { ToolResult } from '../../../contract/objects/tool-result.js'
import { isTerminal, UNKNOWN_TOOL_ID } from '../../../contract/status-table.js'
import type { InvocationStatus } from '../../../contract/unions.js'
import { statusOfEvent } from '../../../storage/journal/event-status.js'

/** The state of one call of a batch while it runs. */
export interface CallView {
  /** Starts at 1. */
  readonly number: number
  /** The tool; where it is unknown, the requested name. */
  readonly name: string
  /** The numbers of the calls that it depends on. */
  readonly after: readonly number[]
  readonly status: InvocationStatus
  /** Cancellation was requested, and it has not ended. */
  readonly isStopping: boolean
  readonly progress: ToolProgress | undefined
  /** Milliseconds since the epoch. */
  readonly startedAt: number | undefined
  readonly endedAt: number | undefined
  /** Why it failed. */
  readonly problem: string | undefined
}

export function newCallView({ number, name, after }: Pick<CallView, 'number' | 'name' | 'after'>): CallView {
  return {
    number,
    name,
    after,
    status: 'planned',
    isStopping: false,
    progress: undefined,
    startedAt: undefined,
    endedAt: undefined,
    problem: undefined,
  }
}

/** The call after one more event. */
export function viewAfter(view: CallView, event: ToolEvent): CallView {
  const { event_type: type, data = {} } = event
  const at = Date.parse(event.time)
  const status = statusOfEvent({ type, at, data })
  const moved: CallView = status === undefined ? view : { ...view, status }
  if (status !== undefined && isTerminal(status)) return { ...moved, endedAt: at, isStopping: false }
  switch (type) {
    case 'tool.invocation.selected':
      return data['tool_id'] === UNKNOWN_TOOL_ID ? moved : { ...moved, name: String(data['tool_id']) }
    case 'tool.invocation.started':
      return { ...moved, startedAt: moved.startedAt ?? at }
    case 'tool.invocation.progress':
      return { ...moved, progress: data['progress'] as ToolProgress }
    case 'toolcrib.invocation.cancel_requested':
      return { ...moved, isStopping: true }
    case 'tool.result.created':
      return { ...moved, problem: (data['result'] as ToolResult | undefined)?.error?.message }
    default:
      return moved
  }
}

/** How long the tool has been running; undefined before it starts. */
export function tookMs({ startedAt, endedAt }: CallView, now: number): number | undefined {
  return startedAt === undefined ? undefined : Math.max(0, (endedAt ?? now) - startedAt)
}

/** The numbers of the calls that have not ended. */
export function openNumbers(views: readonly CallView[]): ReadonlySet<number> {
  return new Set(views.flatMap(({ status, number }) => (isTerminal(status) ? [] : [number])))
}
