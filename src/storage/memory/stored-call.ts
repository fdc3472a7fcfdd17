import type { EventClass } from '../../contract/unions.js'
import { DecisionData, JudgedInput } from '../decision-data.js'
import type { EventList } from '../event-list.js'
import { PlainResult } from '../plain-result.js'
import type { CallRow, LoggedChunk } from '../store.js'

/** A call's row, its first events and, for a few, later ones. */
export interface StoredCall extends Readonly<Omit<CallRow, 'createdAt'>> {
  /** Milliseconds since the store was created: a small number needs no heap object. */
  readonly age: number
  readonly position: number
  readonly events: EventList
  readonly later: readonly LoggedChunk[] | undefined
  /** Adds a later write of the call. */
  continue(row: CallRow, chunk: LoggedChunk): void
}

export interface StoredWhere {
  readonly position: number
  readonly age: number
}

export function storeCall(row: CallRow, events: EventList, where: StoredWhere): StoredCall {
  return hasPlainCourse(row, events) ? new PlainCall(row, events, where) : new OtherCall(row, events, where)
}

// Classes, so that the calls of all stores have one hidden class.
class OtherCall implements StoredCall {
  readonly tenant: string
  readonly invocationId: string
  toolId: string
  readonly surfaceId: string
  status: CallRow['status']
  resultStatus: CallRow['resultStatus']
  readonly actor: string | undefined
  readonly session: string | undefined
  owner: string | undefined
  revision: number
  readonly age: number
  readonly position: number
  readonly events: EventList
  later: LoggedChunk[] | undefined = undefined

  constructor(row: CallRow, events: EventList, { position, age }: StoredWhere) {
    this.tenant = row.tenant
    this.invocationId = row.invocationId
    this.toolId = row.toolId
    this.surfaceId = row.surfaceId
    this.status = row.status
    this.resultStatus = row.resultStatus
    this.actor = row.actor
    this.session = row.session
    this.owner = row.owner
    this.revision = row.revision
    this.age = age
    this.position = position
    this.events = events
  }

  continue({ toolId, status, resultStatus, owner, revision }: CallRow, chunk: LoggedChunk): void {
    this.toolId = toolId
    this.status = status
    this.resultStatus = resultStatus
    this.owner = owner
    this.revision = revision
    ;(this.later ??= []).push(chunk)
  }
}

/** The events of a call that ran at once and gave a plain result, as most do. */
const PLAIN_COURSE: readonly EventClass[] = [
  'tool.invocation.planned',
  'tool.invocation.selected',
  'tool.invocation.arguments_ready',
  'tool.permission.decided',
  'tool.invocation.started',
  'tool.invocation.succeeded',
  'tool.result.created',
]
const WIDTH = 3
/** Until the start, all events have the time of the call; the last two have that of its end. */
const STARTED = 4
/** Where the data of the events is. */
const REQUEST = 2
const SELECTION = REQUEST + WIDTH
const READY = SELECTION + WIDTH
const DECISION = READY + WIDTH
const START = DECISION + WIDTH
const SUCCESS = START + WIDTH
const RESULT = SUCCESS + WIDTH

/** The data of the first event, where it has only what every request has. */
interface PlainRequest {
  readonly requested_name: string
  readonly model_input: unknown
}

function isPlainRequest(data: object): data is PlainRequest {
  // As many members as a plain request has, in their order.
  let count = 0
  for (const name in data) if (name !== REQUEST_FIELDS[count++]) return false
  return count === REQUEST_FIELDS.length
}

const REQUEST_FIELDS = ['requested_name', 'model_input'] as const satisfies (keyof PlainRequest)[]

function hasPlainCourse(row: CallRow, events: Readonly<EventList>): boolean {
  if (events.length !== PLAIN_COURSE.length * WIDTH || row.revision !== 1 || row.owner !== undefined)
    return false
  if (row.status !== 'succeeded' || row.resultStatus !== 'succeeded') return false
  const decision = events[DECISION]
  const request = events[REQUEST] as object
  if (!(events[RESULT] instanceof PlainResult) || !(decision instanceof DecisionData)) return false
  if (events[READY] !== undefined || events[START] !== undefined || events[SUCCESS] !== undefined)
    return false
  for (let index = 0; index < PLAIN_COURSE.length; index++) {
    if (events[index * WIDTH] !== PLAIN_COURSE[index]) return false
    const since = events[index * WIDTH + 1]
    if (since !== (index > STARTED ? events[RESULT - 1] : 0)) return false
  }
  return isPlainRequest(request) && decision.isAboutFirst(request.model_input)
}

/** What calls of one tool on one surface have in common. */
class CommonParts {
  readonly tenant: string
  readonly toolId: string
  readonly surfaceId: string
  readonly actor: string | undefined
  readonly session: string | undefined
  readonly requestedName: string
  readonly selection: object
  /** The shared part of the decision; the input that was judged is that of the request. */
  readonly decision: object
  readonly own: PlainResult['own']

  constructor(row: CallRow, events: Readonly<EventList>) {
    this.tenant = row.tenant
    this.toolId = row.toolId
    this.surfaceId = row.surfaceId
    this.actor = row.actor
    this.session = row.session
    this.requestedName = (events[REQUEST] as PlainRequest).requested_name
    this.selection = events[SELECTION] as object
    this.decision = (events[DECISION] as DecisionData).base
    this.own = (events[RESULT] as PlainResult).own
  }

  isOf(row: CallRow, events: Readonly<EventList>): boolean {
    return (
      this.tenant === row.tenant &&
      this.toolId === row.toolId &&
      this.surfaceId === row.surfaceId &&
      this.actor === row.actor &&
      this.session === row.session &&
      this.requestedName === (events[REQUEST] as PlainRequest).requested_name &&
      this.selection === events[SELECTION] &&
      this.decision === (events[DECISION] as DecisionData).base &&
      this.own === (events[RESULT] as PlainResult).own
    )
  }
}

/** Of the last call that was stored: the next one is often of the same tool and surface. */
let lastParts: CommonParts | undefined

function commonParts(row: CallRow, events: Readonly<EventList>): CommonParts {
  return lastParts?.isOf(row, events) ? lastParts : (lastParts = new CommonParts(row, events))
}

/**
 * A call of the plain course in one small object, without a list of its events and without a text that follows from the
 * structure: what a log keeps costs the garbage collector more than making it did.
 */
class PlainCall implements StoredCall {
  readonly invocationId: string
  readonly age: number
  readonly position: number
  private readonly common: CommonParts
  private readonly input: unknown
  private readonly tookMs: number
  private readonly createdAt: string
  /** Its text, where that is all; otherwise the text is the JSON of the structure. */
  private readonly output: unknown
  private readonly isText: boolean
  /** The state and the events of later writes, of which most calls have none. */
  private continued: OtherCall | undefined = undefined

  constructor(row: CallRow, events: Readonly<EventList>, { position, age }: StoredWhere) {
    const result = events[RESULT] as PlainResult
    this.invocationId = row.invocationId
    this.age = age
    this.position = position
    this.common = commonParts(row, events)
    this.input = (events[REQUEST] as PlainRequest).model_input
    this.tookMs = events[RESULT - 1] as number
    this.createdAt = result.createdAt
    this.isText = result.structured === undefined
    this.output = this.isText ? result.text : result.structured
  }

  get tenant(): string {
    return this.common.tenant
  }

  get toolId(): string {
    return this.continued?.toolId ?? this.common.toolId
  }

  get surfaceId(): string {
    return this.common.surfaceId
  }

  get actor(): string | undefined {
    return this.common.actor
  }

  get session(): string | undefined {
    return this.common.session
  }

  get status(): CallRow['status'] {
    return this.continued?.status ?? 'succeeded'
  }

  get resultStatus(): CallRow['resultStatus'] {
    return this.continued ? this.continued.resultStatus : 'succeeded'
  }

  get owner(): string | undefined {
    return this.continued?.owner
  }

  get revision(): number {
    return this.continued?.revision ?? 1
  }

  get later(): readonly LoggedChunk[] | undefined {
    return this.continued?.later
  }

  /** As they were recorded, made at each reading. */
  get events(): EventList {
    const { input, output, isText } = this
    const { requestedName, selection, decision, own } = this.common
    const text = isText ? (output as string) : JSON.stringify(output)
    const request: PlainRequest = { requested_name: requestedName, model_input: input }
    const data: (object | undefined)[] = [
      request,
      selection,
      undefined,
      new DecisionData(decision, new JudgedInput(0, input, false)),
      undefined,
      undefined,
      new PlainResult(this.invocationId, this.createdAt, text, isText ? undefined : output, own),
    ]
    return PLAIN_COURSE.flatMap((type, index) => [type, index > STARTED ? this.tookMs : 0, data[index]])
  }

  continue(row: CallRow, chunk: LoggedChunk): void {
    this.continued ??= new OtherCall(row, [], { position: this.position, age: this.age })
    this.continued.continue(row, chunk)
  }
}
