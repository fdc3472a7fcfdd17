import { describe, expect, it } from 'vitest'
import type { EventClass } from '../../src/contract/unions.js'
import { projectProgress, startOfProgress } from '../../src/storage/journal/project-progress.js'
import { toEventList, type EventDraft } from '../../src/storage/event-list.js'
import type { LoggedChunk } from '../../src/storage/store.js'
import { expectRecord } from '../edges/cli/run-cli.js'

const progressData = (sequence: number, more: object) => ({
  progress: {
    schema_version: '0.2.0',
    progress_id: `prog_inv_1_${sequence}`,
    invocation_id: 'inv_1',
    sequence,
    status: 'running',
    timestamp: new Date(sequence * 10).toISOString(),
    ...more,
  },
})

/** The events are ten milliseconds apart. */
function chunksOf(
  events: readonly (readonly [EventClass, object?])[],
  sizes: readonly number[],
): LoggedChunk[] {
  const drafts: EventDraft[] = events.map(([type, data], index) => ({ type, data, at: (index + 1) * 10 }))
  const chunks: LoggedChunk[] = []
  let from = 0
  for (const size of [...sizes, events.length]) {
    const some = drafts.slice(from, from + size)
    if (some.length === 0) continue
    const base = { tenant: 't', stream: 'inv_1', baseTime: 0, position: from + 1 }
    chunks.push({ ...base, firstSequence: from + 1, events: toEventList(some, 0) })
    from += size
  }
  return chunks
}

const story = [
  ['tool.invocation.planned', {}],
  [
    'tool.permission.requested',
    { decision: { reason: { type: 'rule', message: 'Writes are asked about.' } } },
  ],
  ['toolcrib.invocation.approved'],
  ['tool.invocation.queued'],
  ['tool.invocation.started'],
  [
    'tool.invocation.progress',
    progressData(6, { percent: 10, line_count: 3, message: 'a', toolcrib: { pid: 7 } }),
  ],
  ['tool.invocation.queued'],
  ['tool.invocation.started'],
  ['toolcrib.invocation.needs_input', { message: 'Which?' }],
  ['toolcrib.invocation.resumed'],
  ['tool.invocation.partial_result', progressData(11, { status: 'partial_result', line_count: 4 })],
  ['toolcrib.invocation.resumed'],
  ['tool.invocation.progress', progressData(13, { message: 'a hook had a word' })],
  ['tool.invocation.succeeded'],
  ['tool.result.created', { status: 'succeeded', artifact_refs: [{ ref_id: 'r' }] }],
  ['toolcrib.result.late_discarded'],
] as const

describe('[AT-PROG-05] progress derived from events', () => {
  it('is in the order of the call, with the known times and counts', () => {
    const progress = [...projectProgress(chunksOf(story, []))]
    expect(progress.map(({ sequence, status }) => [sequence, status])).toEqual([
      [2, 'waiting_for_permission'],
      [4, 'queued'],
      [5, 'started'],
      [6, 'running'],
      [7, 'queued'],
      [8, 'started'],
      [9, 'waiting_for_input'],
      [10, 'running'],
      [11, 'partial_result'],
      [13, 'running'],
      [15, 'completed'],
    ])
    for (const each of progress) expectRecord('tool_progress', each)
    expect(progress[0]).toMatchObject({ message: 'Writes are asked about.' })
    expect(progress[0]).not.toHaveProperty('elapsed_ms')
    expect(progress[4]).toMatchObject({ elapsed_ms: 20, line_count: 3, percent: 10, toolcrib: { pid: 7 } })
    expect(progress[4]).not.toHaveProperty('message')
    expect(progress[6]).toMatchObject({ message: 'Which?', elapsed_ms: 40 })
    const end = progress.at(-1)!
    expect(end).toMatchObject({ elapsed_ms: 100, line_count: 4, artifact_refs: [{ ref_id: 'r' }] })
    expect(end).not.toHaveProperty('percent')
  })

  it('resets the counts in each attempt and keeps the fields of the call', () => {
    const counted = {
      percent: 90,
      current_step: 'last',
      line_count: 3,
      task_id: 't1',
      toolcrib: { pid: 7, exit_code: 1, timeout_ms: 500 },
    }
    const events = [
      ['tool.invocation.planned', {}],
      ['tool.invocation.started'],
      ['tool.invocation.progress', progressData(3, counted)],
      ['toolcrib.invocation.attempt_failed', { attempt: 1 }],
      ['tool.invocation.queued'],
      ['tool.invocation.started'],
    ] as const
    for (const { status, ...rest } of [...projectProgress(chunksOf(events, []))].slice(-2)) {
      expect(['queued', 'started']).toContain(status)
      expect(rest).toMatchObject({ task_id: 't1', toolcrib: { timeout_ms: 500 } })
      expect(rest.toolcrib).toEqual({ timeout_ms: 500 })
      for (const field of ['percent', 'current_step', 'line_count']) expect(rest).not.toHaveProperty(field)
    }
  })

  it('is the same for any chunking and any reader position', () => {
    const whole = [...projectProgress(chunksOf(story, []))]
    for (let first = 0; first <= story.length; first++) {
      const chunks = chunksOf(story, [first, 3, 1])
      expect([...projectProgress(chunks)]).toEqual(whole)
      const position = startOfProgress()
      const before = [...projectProgress(chunksOf(story.slice(0, first), []), position)]
      expect([...before, ...projectProgress(chunks, position)]).toEqual(whole)
      expect(position).toMatchObject({ sequence: story.length, isOver: true })
    }
  })

  it.each<[EventClass, object | undefined, string]>([
    ['tool.invocation.failed', undefined, 'failed'],
    ['tool.invocation.timed_out', undefined, 'failed'],
    ['tool.invocation.canceled', undefined, 'canceled'],
    ['toolcrib.invocation.denied', undefined, 'failed'],
    ['toolcrib.invocation.blocked', undefined, 'failed'],
    ['tool.invocation.validation_failed', undefined, 'failed'],
    ['tool.invocation.validation_failed', { status: 'schema_parse_failed' }, 'failed'],
  ])('%s %j ends as %s, with the reason', (type, data, status) => {
    const result = { status: 'failed', error: { message: 'Why it ended.' } }
    const events = [['tool.invocation.planned'], [type, data], ['tool.result.created', result]] as const
    expect([...projectProgress(chunksOf(events, []))]).toMatchObject([
      { sequence: 3, status, message: 'Why it ended.' },
    ])
  })

  it('of an unknown call is empty', () => {
    expect([...projectProgress([])]).toEqual([])
  })
})
