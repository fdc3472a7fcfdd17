import { describeWait } from '../../../contract/describe-wait.js'
import type { ToolEvent } from '../../../contract/objects/tool-event.js'
import type { ToolInvocation } from '../../../contract/objects/tool-invocation.js'
import type { CallStory } from '../../../storage/journal/project-call.js'
import { callerText } from './caller-text.js'
import { describeEvent } from './describe-event.js'
import { durationText } from '../terminal/duration-text.js'
import { cutText, wrapText } from '../terminal/fit-text.js'
import { oneLine, printableJson } from '../../../platform/text/printable.js'
import { paintStatus, statusMark } from '../terminal/status-mark.js'
import { wordOf } from '../terminal/status-words.js'
import type { Styles } from '../terminal/styles.js'
import { dateAndTime } from '../terminal/short-time.js'

export interface StoryView {
  style: Styles
  columns: number
}

const OFFSET_COLUMNS = 10
/** A result may be very long; the story shows its beginning. */
const MAX_LINES_PER_EVENT = 3

/** One call as a timeline: the call, each event, and its inputs where they differ. */
export function storyLines(story: CallStory, events: readonly ToolEvent[], view: StoryView): string[] {
  const lines = [...header(story.invocation, view), '']
  const start = Date.parse(story.invocation.created_at)
  for (const [index, event] of events.entries()) {
    const offset = `+${Math.max(0, Date.parse(event.time) - start)} ms`.padStart(OFFSET_COLUMNS)
    lines.push(
      ...hang(
        `${view.style.dim(offset)}  `,
        eventText(event, events[index + 1]),
        view.columns - OFFSET_COLUMNS - 2,
      ),
    )
  }
  const inputs = inputLines(story.invocation, view)
  return inputs.length > 0 ? [...lines, '', ...inputs] : lines
}

/** A wait that is over says how long it took. */
function eventText(event: ToolEvent, next: ToolEvent | undefined): string {
  const wait = event.event_type === 'tool.invocation.queued' ? describeWait(event.data) : undefined
  if (wait === undefined || next === undefined) return describeEvent(event)
  return oneLine(`waited ${durationText(Date.parse(next.time) - Date.parse(event.time))} for ${wait}`)
}

function header(invocation: ToolInvocation, { style, columns }: StoryView): string[] {
  const { status, created_at: from, ended_at: to, native_call_id: nativeId, actor_ref: actor } = invocation
  const took = to === undefined ? 'not over yet' : `in ${durationText(Date.parse(to) - Date.parse(from))}`
  const own = invocation.toolcrib ?? {}
  const facts: [string, unknown][] = [
    ['call', invocation.invocation_id],
    ['when', dateAndTime(from)],
    ['actor', callerText(actor ?? '', own['client']) || undefined],
    ['session', own['session']],
    ['native id', nativeId],
    ['trace', invocation.telemetry_refs?.[0]?.trace_id],
  ]
  return [
    `${paintStatus(status, statusMark(status), style)} ${style.bold(oneLine(nameOf(invocation)))}  ${paintStatus(status, wordOf(status), style)} ${took}`,
    ...facts.flatMap(([label, value]) =>
      typeof value === 'string'
        ? [`  ${style.dim(label.padEnd(9))}  ${cutText(oneLine(value), columns - 13)}`]
        : [],
    ),
  ]
}

/** The tool; if there was none, the requested name. */
export function nameOf({ tool_id: toolId, toolcrib }: ToolInvocation): string {
  const asked = toolcrib?.['requested_name']
  return toolId.startsWith('toolcrib.') && typeof asked === 'string' ? `${asked} (unknown)` : toolId
}

function hang(start: string, text: string, columns: number): string[] {
  const wrapped = wrapText(text, columns)
  const shown = wrapped.slice(0, MAX_LINES_PER_EVENT)
  const last = shown.at(-1)!
  if (wrapped.length > shown.length)
    shown[shown.length - 1] = last.includes('toolcrib://') ? `${last} …` : `${cutText(last, columns - 2)} …`
  return shown.map((line, index) => (index === 0 ? start : ' '.repeat(OFFSET_COLUMNS + 2)) + line)
}

const INPUTS = [
  ['model_input', 'written'],
  ['observable_input', 'seen'],
  ['permission_input', 'judged'],
  ['call_input', 'run'],
] as const

/** Equal versions share a line: usually the judged input is the one that was shown and that ran. */
function inputLines(invocation: ToolInvocation, { style, columns }: StoryView): string[] {
  const versions = new Map<string, string[]>()
  for (const [field, words] of INPUTS) {
    if (invocation[field] === undefined) continue
    const shown = printableJson(invocation[field])
    versions.set(shown, [...(versions.get(shown) ?? []), words])
  }
  if (versions.size < 2) return []
  return [...versions].flatMap(([shown, who]) => [
    style.bold(`Input as ${who.join(', ')}`),
    ...wrapText(cutText(shown, columns * MAX_LINES_PER_EVENT), columns - 2).map((line) => `  ${line}`),
  ])
}
