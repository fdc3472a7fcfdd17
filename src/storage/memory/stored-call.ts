import type { EventClass } from '../../contract/unions.js'
import { DecisionData, JudgedInput } from '../decision-data.js'
import type { EventList } from '../event-list.js'
import { PlainResult } from '../plain-result.js'
import type { CallRow, LoggedChunk } from '../store.js'

/** A call's row, its first events and, for a few, later ones. */
export interface StoredCall extends Omit<CallRow, 'createdAt'> {
  /** Milliseconds since the store was created: a small number needs no heap object. */
  age: number
  readonly position: number
  readonly events: EventList
  later: LoggedChunk[] | undefined
}

export interface StoredWhere {
  readonly position: number
  readonly age: number
}

export function storeCall(row: CallRow, events: EventList, where: StoredWhere): StoredCall {
  return hasPlainCourse(events) ? new PlainCall(row, events, where) : new OtherCall(row, events, where)
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

function hasPlainCourse(events: Readonly<EventList>): boolean {
  if (events.length !== PLAIN_COURSE.length * WIDTH) return false
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

/**
 * A call of the plain course in one object, without a list of its events and without a text that follows from the
 * structure: what a log keeps costs the garbage collector more than making it did.
 */
class PlainCall implements StoredCall {
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
  later: LoggedChunk[] | undefined = undefined
  private readonly requestedName: string
  private readonly input: unknown
  private readonly selection: object
  /** The shared part of the decision; the input that was judged is that of the request. */
  private readonly decision: object
  private readonly tookMs: number
  private readonly createdAt: string
  /** Its text, where that is all; otherwise the text is the JSON of the structure. */
  private readonly output: unknown
  private readonly isText: boolean
  private readonly own: PlainResult['own']

  constructor(row: CallRow, events: Readonly<EventList>, { position, age }: StoredWhere) {
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
    const result = events[RESULT] as PlainResult
    const { requested_name: name, model_input: input } = events[REQUEST] as PlainRequest
    this.requestedName = name
    this.input = input
    this.selection = events[SELECTION] as object
    this.decision = (events[DECISION] as DecisionData).base
    this.tookMs = events[RESULT - 1] as number
    this.createdAt = result.createdAt
    this.isText = result.structured === undefined
    this.output = this.isText ? result.text : result.structured
    this.own = result.own
  }

  /** As they were recorded, made at each reading. */
  get events(): EventList {
    const { input, output, isText } = this
    const text = isText ? (output as string) : JSON.stringify(output)
    const request: PlainRequest = { requested_name: this.requestedName, model_input: input }
    const data: (object | undefined)[] = [
      request,
      this.selection,
      undefined,
      new DecisionData(this.decision, new JudgedInput(0, input, false)),
      undefined,
      undefined,
      new PlainResult(this.invocationId, this.createdAt, text, isText ? undefined : output, this.own),
    ]
    return PLAIN_COURSE.flatMap((type, index) => [type, index > STARTED ? this.tookMs : 0, data[index]])
  }
}
