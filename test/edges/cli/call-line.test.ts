import { describe, expect, it } from 'vitest'
import { batchLines } from '../../../src/edges/cli/batch/batch-lines.js'
import { barText } from '../../../src/edges/cli/batch/call-line.js'
import { newCallView, type CallView } from '../../../src/edges/cli/batch/call-view.js'
import { widthOf } from '../../../src/edges/cli/terminal/fit-text.js'
import {
  bytesText,
  progressText,
  progressWords,
  progressStatusText,
} from '../../../src/edges/cli/record/progress-text.js'
import { createStyles } from '../../../src/edges/cli/terminal/styles.js'
import type { ToolProgress } from '../../../src/contract/objects/tool-progress.js'
import { invocationStatuses } from '../../../src/contract/unions.js'

const progress = (fields: Partial<ToolProgress>): ToolProgress => ({
  schema_version: '0.2.0',
  progress_id: 'prog_1',
  invocation_id: 'inv_1',
  sequence: 1,
  status: 'running',
  timestamp: '2026-07-30T12:00:00.000Z',
  ...fields,
})

const view = (number: number, more: Partial<CallView> = {}): CallView => ({
  ...newCallView({ number, name: 'files.read', after: [] }),
  ...more,
})

const show = (views: readonly CallView[], columns = 79, rows = 23): string[] =>
  batchLines(views, { room: { columns, rows }, tick: 0, now: 10_000, style: createStyles(false) })

describe('the live line of a call', () => {
  it('shows the progress, or what the call waits for', () => {
    const lines = show([
      view(1, { status: 'running', startedAt: 6_600, progress: progress({ percent: 50, message: 'half' }) }),
      view(2, { status: 'running', startedAt: 0, progress: progress({ bytes_read: 1_234, line_count: 7 }) }),
      view(3, { status: 'queued', after: [1, 4] }),
      view(4, { status: 'succeeded', startedAt: 0, endedAt: 12 }),
      view(5, { status: 'awaiting_approval' }),
      view(6, { status: 'needs_input', startedAt: 9_000 }),
      view(7, { status: 'running', isStopping: true, startedAt: 9_000 }),
      view(8, { status: 'timed_out', problem: 'too\nlate' }),
    ])
    expect(lines.map((line) => line.trimEnd().replaceAll(/ {3,}/g, '   '))).toEqual([
      '⠋ 1 files.read  running   ██████░░░░░░  50 %  half   3.4 s',
      '⠋ 2 files.read  running   1.2 kB read, 7 lines   10.0 s',
      '… 3 files.read  queued   after 1',
      '✓ 4 files.read  succeeded   12 ms',
      '? 5 files.read  waiting   for approval',
      '? 6 files.read  waiting   for an answer   1.0 s',
      '⠋ 7 files.read  stopping   1.0 s',
      '✗ 8 files.read  timed out  too late',
    ])
  })

  it('is never wider than the terminal, with any content', () => {
    const long = `${'漢字'.repeat(40)}\u001B[31m`
    const views = invocationStatuses.flatMap((status, index) =>
      [undefined, 33.3].map((percent) =>
        view(2 * index + (percent ? 1 : 2), {
          status,
          name: percent ? long : 'a',
          problem: long,
          startedAt: 0,
          progress: progress({ message: long, ...(percent !== undefined && { percent }) }),
        }),
      ),
    )
    for (const columns of [1, 2, 10, 30, 39, 40, 41, 45, 50, 60, 79, 80, 120, 250]) {
      for (const rows of [2, 100]) {
        const lines = show(views, columns, rows)
        expect(lines.length).toBeLessThanOrEqual(rows)
        for (const line of lines) expect(widthOf(line), line).toBeLessThanOrEqual(columns)
      }
    }
  })

  it('is replaced by a count if there are too many', () => {
    const views = [view(1, { status: 'succeeded' }), view(2, { status: 'running' }), view(3), view(4)]
    expect(show([...views, view(5, { status: 'queued' })], 79, 3).map((line) => line.slice(0, 30))).toEqual([
      '⠋ 2 files.read  running       ',
      '⠋ 3 files.read  starting      ',
      'and 1 starting, 1 queued, 1 su',
    ])
  })
})

describe('a bar', () => {
  it('is full only at 100 %', () => {
    expect(barText(0, '', 40)).toBe('░░░░░░░░░░░░   0 %')
    expect(barText(99.9, '', 40)).toBe('███████████░ 100 %')
    expect(barText(100, '', 40)).toBe('████████████ 100 %')
  })

  it('drops its text first, then itself', () => {
    expect(barText(50, 'halfway there', 34)).toBe('██████░░░░░░  50 %  halfway there')
    expect(barText(50, 'halfway there', 28)).toBe('██████░░░░░░  50 %  halfway…')
    expect(barText(50, 'halfway there', 24)).toBe('██████░░░░░░  50 %')
    expect(barText(50, 'halfway there', 8)).toBe('50 %')
  })
})

it('progress is shown in the fewest words', () => {
  expect(progressText(progress({}))).toBe('at work')
  expect(progressText(progress({ percent: 33.4, current_step: 'link', total_steps: 3 }))).toBe(
    '33 % link of 3',
  )
  expect(progressWords(progress({ bytes_written: 5, line_count: 1 }))).toBe('5 B written, 1 line')
  expect(progressStatusText(progress({ percent: 50, toolcrib: { exit_code: 1 } }))).toBe(
    'running  50 % exit code 1',
  )
  expect(progressStatusText(progress({ status: 'waiting_for_input' }))).toBe('waiting for input')
  expect([0, 999, 1_000, 99_949, 99_950, 999_499, 999_500, 5e9, 2e15].map(bytesText)).toEqual([
    '0 B',
    '999 B',
    '1.0 kB',
    '99.9 kB',
    '100 kB',
    '999 kB',
    '1.0 MB',
    '5.0 GB',
    '2000 TB',
  ])
})
