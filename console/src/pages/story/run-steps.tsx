import type { ReactNode } from 'react'
import type { CallStory, OutlinedEvent, ToolProgress } from '../../api/types.js'
import { eventMeaning } from '../../../../src/contract/event-table.js'
import { Link, useAddress } from '../../shell/router.js'
import { statusWords } from '../../ui/badge.js'
import { Json } from '../../ui/json.js'
import { Text } from '../../ui/text.js'
import { duration } from '../../ui/time.js'
import type { AttemptFailure, RunEnd } from './build-steps.js'
import { More, StepTitle } from './step-title.js'

interface WaitStepProps {
  /** Absent: it still waits. */
  readonly ms: number | undefined
  readonly waitedFor: string | undefined
  readonly isBetweenAttempts: boolean
  readonly story: CallStory
}

export function WaitStep({ ms, waitedFor, isBetweenAttempts, story }: WaitStepProps): ReactNode {
  const { resource_locks: locks = [] } = story.invocation.scheduler ?? {}
  const names = locks.map(({ key, mode }) => `${String(key)} (${String(mode)})`)
  return (
    <StepTitle
      note={
        names.length > 0 &&
        waitedFor === undefined &&
        !isBetweenAttempts && (
          <>
            needs the lock <Text>{names.join(', ')}</Text>
          </>
        )
      }
    >
      {ms === undefined ? 'Waits' : `Waited ${duration(ms)}`}{' '}
      {isBetweenAttempts ? 'before the next attempt' : 'for '}
      {!isBetweenAttempts && <Text>{waitedFor ?? 'its turn'}</Text>}
    </StepTitle>
  )
}

interface RunStepProps {
  readonly attempt: number
  readonly isOnly: boolean
  readonly ms: number | undefined
  readonly end: RunEnd
  readonly failure: AttemptFailure | undefined
}

const ENDED: Readonly<Record<RunEnd, string>> = {
  running: 'has run for',
  done: 'ran for',
  failed: 'failed after',
  stopped: 'was stopped after',
  'timed out': 'ran out of time after',
}

export function RunStep({ attempt, isOnly, ms, end, failure }: RunStepProps): ReactNode {
  const name = isOnly ? 'The tool' : `Attempt ${attempt}`
  const took = ms === undefined ? 'runs' : `${ENDED[end]} ${duration(ms)}`
  return (
    <>
      <StepTitle
        note={failure?.retryInMs !== undefined && `the next attempt in ${duration(failure.retryInMs)}`}
      >
        {name} {took}
      </StepTitle>
      {failure !== undefined && (
        <p className="prose">
          {failure.errorClass !== undefined && <code>{failure.errorClass}</code>}{' '}
          <Text>{failure.message}</Text>
        </p>
      )}
    </>
  )
}

interface ProgressStepProps {
  readonly count: number
  /** Of the run, those that the story has. */
  readonly items: readonly ToolProgress[]
  readonly isOpen: boolean
}

export function ProgressStep({ count, items, isOpen }: ProgressStepProps): ReactNode {
  const { path } = useAddress()
  const last = items.at(-1)
  const groups = groupProgress(items)
  return (
    <>
      <StepTitle note={rate(items)}>
        {count === 1 ? 'Progress' : `${count.toLocaleString()} updates of progress`}
      </StepTitle>
      {last !== undefined && <ProgressBar progress={last} isOpen={isOpen} />}
      {items.length > 1 && (
        <More summary={items.length < count ? `The last ${items.length.toLocaleString()}` : 'All of them'}>
          <ol className="progress-groups">
            {groups.map(({ key, first, last: end, size }) => (
              <li key={key}>
                <span className="muted">{size > 1 ? `${size.toLocaleString()} ×` : ''}</span>
                <span className="prose">
                  <Text>{progressWords(end)}</Text>
                </span>
                <span className="muted number">{spanWords(first, end)}</span>
              </li>
            ))}
          </ol>
          {items.length < count && <Link to={`${path}?tab=events`}>All events of the call</Link>}
        </More>
      )}
    </>
  )
}

export function ProgressBar({
  progress,
  isOpen,
}: {
  readonly progress: ToolProgress
  readonly isOpen: boolean
}): ReactNode {
  const { percent } = progress
  const words = progressWords(progress)
  return (
    <div className="progress-line">
      {percent !== undefined && (
        <>
          <progress className={isOpen ? 'open' : ''} max={100} value={percent} aria-label="Progress" />
          <span className="number">{Math.round(percent)} %</span>
        </>
      )}
      <span className="prose">
        <Text>{words}</Text>
      </span>
    </div>
  )
}

function progressWords({ message, current_step: step, total_steps: total, status }: ToolProgress): string {
  const steps = step === undefined ? '' : total === undefined ? step : `${step} (of ${total} steps)`
  return [steps, message ?? ''].filter((part) => part !== '').join(': ') || statusWords(status)
}

interface ProgressGroup {
  readonly key: string
  readonly first: ToolProgress
  last: ToolProgress
  size: number
}

/** Updates in a row that differ only in numbers are one group. */
export function groupProgress(items: readonly ToolProgress[]): readonly ProgressGroup[] {
  const groups: ProgressGroup[] = []
  let shape: string | undefined
  for (const item of items) {
    const own = `${item.current_step ?? ''}\n${(item.message ?? '').replaceAll(/\d+/g, '#')}`
    const group = groups.at(-1)
    if (group !== undefined && own === shape) {
      group.last = item
      group.size++
    } else groups.push({ key: item.progress_id, first: item, last: item, size: 1 })
    shape = own
  }
  return groups
}

function spanWords(first: ToolProgress, last: ToolProgress): string {
  const ms = Date.parse(last.timestamp) - Date.parse(first.timestamp)
  return ms === 0 ? '' : duration(ms)
}

function rate(items: readonly ToolProgress[]): string | undefined {
  const [first] = items
  const last = items.at(-1)
  if (first === undefined || last === undefined) return undefined
  const seconds = (Date.parse(last.timestamp) - Date.parse(first.timestamp)) / 1_000
  return seconds < 1 ? undefined : `${(items.length / seconds).toFixed(1)} per second`
}

/** What happened, with the name of what it happened to. */
function eventTitle({ event_type: type, data }: OutlinedEvent): ReactNode {
  const name = data?.['name']
  if (typeof name === 'string' && type === 'toolcrib.artifact.created')
    return <Text>{`Artifact ${name} was created`}</Text>
  if (typeof name === 'string' && type === 'toolcrib.artifact.version_added')
    return <Text>{`Artifact ${name} has a new version`}</Text>
  return type === 'toolcrib.hook.failed' ? 'The answer of a hook could not be used' : eventMeaning[type]
}

export function EventStep({ event }: { readonly event: OutlinedEvent }): ReactNode {
  const { status: _status, ...data } = event.data ?? {}
  const said = detailOf(data)
  const hasMore = Object.keys(data).length > 0
  return (
    <>
      <StepTitle>{eventTitle(event)}</StepTitle>
      {said !== undefined && (
        <p className="prose">
          <Text>{said}</Text>
        </p>
      )}
      {hasMore && (
        <More summary="Details">
          <Json value={data} label={event.event_type} />
        </More>
      )}
    </>
  )
}

/** The sentence in the data of an event. */
export function detailOf(data: Readonly<Record<string, unknown>>): string | undefined {
  const { message, reason, error } = data
  if (typeof message === 'string') return message
  const inError = (error as { message?: unknown } | undefined)?.message
  if (typeof inError === 'string') return inError
  return typeof reason === 'string' ? reason : undefined
}

/** The call has no result yet. */
export function OpenStep({ story }: { readonly story: CallStory }): ReactNode {
  const { status, cancel_requested: isStopping } = story.invocation
  return (
    <StepTitle note={isStopping === true ? 'it was asked to stop' : undefined}>
      <span className="open-status">It {openWords(status)}</span>
    </StepTitle>
  )
}

function openWords(status: string): string {
  const words = statusWords(status)
  return words.startsWith('waits') ? words : `is ${words}`
}
