import { isoTime } from '../../contract/iso-time.js'
import type { EventClass } from '../../contract/unions.js'
import { deepFreeze } from '../../platform/json/deep-freeze.js'
import { DecisionData, JudgedInput } from '../decision-data.js'
import type { EventList } from '../event-list.js'
import { PlainResult } from '../plain-result.js'
import type { CallRow, LoggedChunk } from '../store.js'
import { PackedValues } from './packed-values.js'
import { OtherCall, type StoredCall, type StoredWhere } from './stored-call.js'

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

export function hasPlainCourse(row: CallRow, events: Readonly<EventList>): boolean {
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
  const endedAt = row.createdAt + (events[RESULT - 1] as number)
  return (
    (events[RESULT] as PlainResult).createdAt === isoTime(endedAt) &&
    isPlainRequest(request) &&
    decision.isAboutFirst(request.model_input)
  )
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
      this.toolId === row.toolId &&
      this.surfaceId === row.surfaceId &&
      this.tenant === row.tenant &&
      this.actor === row.actor &&
      this.session === row.session &&
      this.requestedName === (events[REQUEST] as PlainRequest).requested_name &&
      this.selection === events[SELECTION] &&
      this.decision === (events[DECISION] as DecisionData).base &&
      this.own === (events[RESULT] as PlainResult).own
    )
  }
}

/** How many bytes a list has, and after how many the next one is begun: one more call seldom takes the rest. */
const MOST_BYTES = 32 * 1024
const FULL_BYTES = MOST_BYTES - 2 * 1024
/** A list of one call needs no more, as many are. */
const LEAST_BYTES = 128
/** Values of every call, before those of its input and output. */
const FIRST_VALUES = 4

/**
 * Calls of the plain course, of one tool on one surface, whose inputs and outputs have the same members. Their values are
 * bytes, one call after the other, and what follows from a value is not kept: what a log keeps costs the garbage collector
 * more than making it did.
 */
export class PlainCalls {
  readonly common: CommonParts
  /** Whether their outputs are texts. A structure may be a text too: then its JSON is the text of the result. */
  private readonly isText: boolean
  private readonly inputNames: Names
  private readonly outputNames: Names
  private readonly epoch: number
  private readonly values: PackedValues
  /** Where each call begins. */
  private readonly starts: number[] = []

  /**
   * A list for calls that are like this one, with little room. After a full list it has all of it: growing copies the bytes.
   */
  constructor(
    row: CallRow,
    events: Readonly<EventList>,
    { isNext, latest, epoch }: { isNext: boolean; latest: PlainCalls | undefined; epoch: number },
  ) {
    const result = events[RESULT] as PlainResult
    this.common = new CommonParts(row, events)
    this.isText = result.structured === undefined
    this.inputNames = namesOf((events[REQUEST] as PlainRequest).model_input, latest?.inputNames)
    this.outputNames = namesOf(outputOf(result), latest?.outputNames)
    this.epoch = epoch
    this.values = new PackedValues(isNext ? MOST_BYTES : LEAST_BYTES)
  }

  get isFull(): boolean {
    return this.values.end >= FULL_BYTES
  }

  /** Whether a call with a plain course is like those of the list. */
  isAlike(row: CallRow, events: Readonly<EventList>): boolean {
    const result = events[RESULT] as PlainResult
    return (
      this.common.isOf(row, events) &&
      this.isText === (result.structured === undefined) &&
      hasNames((events[REQUEST] as PlainRequest).model_input, this.inputNames) &&
      hasNames(outputOf(result), this.outputNames)
    )
  }

  /** Adds a call that is like the others, where there is room. */
  // Four parameters rather than an object of them: this runs in every call.
  put(row: CallRow, events: Readonly<EventList>, position: number, age: number): void {
    const { values } = this
    const result = events[RESULT] as PlainResult
    this.starts.push(values.end)
    values.putNumber(position)
    values.putNumber(age)
    values.putNumber(events[RESULT - 1] as number)
    values.putText(row.invocationId)
    putMembers((events[REQUEST] as PlainRequest).model_input, this.inputNames, values)
    // A list or a record with others in it is kept as its text.
    if (this.outputNames === undefined && !this.isText) values.putJson(result.text)
    else putMembers(outputOf(result), this.outputNames, values)
  }

  /** Each call as an object that reads its values. */
  calls(): StoredCall[] {
    return this.starts.map((start) => new PlainCall(this, start, this.whereIs(start)))
  }

  private whereIs(start: number): StoredWhere {
    const { values } = this
    values.readFrom(start)
    return { position: values.take() as number, age: values.take() as number }
  }

  idOf(start: number): string {
    const { values } = this
    values.readFrom(start)
    for (let before = FIRST_VALUES - 1; before > 0; before--) values.take()
    return values.take() as string
  }

  /** Drops what a removed call holds: the list stays for the others. */
  clear(start: number): void {
    const count = FIRST_VALUES + (this.inputNames?.length ?? 1) + (this.outputNames?.length ?? 1)
    this.values.drop(start, count)
  }

  /** The events of a call as they were recorded, made at each reading. */
  eventsOf(start: number): EventList {
    const { requestedName, selection, decision, own } = this.common
    const { values } = this
    const { age } = this.whereIs(start)
    const tookMs = values.take() as number
    const id = values.take() as string
    const input = takeMembers(this.inputNames, values)
    const output = takeMembers(this.outputNames, values)
    const text = this.isText ? (output as string) : JSON.stringify(output)
    const request: PlainRequest = { requested_name: requestedName, model_input: input }
    const createdAt = isoTime(this.epoch + age + tookMs)
    const data: (object | undefined)[] = [
      request,
      selection,
      undefined,
      new DecisionData(decision, new JudgedInput(0, input, false)),
      undefined,
      undefined,
      new PlainResult(id, createdAt, text, this.isText ? undefined : output, own),
    ]
    return PLAIN_COURSE.flatMap((type, index) => [type, index > STARTED ? tookMs : 0, data[index]])
  }
}

/** Its text, where that is all; otherwise the text is the JSON of the structure. */
function outputOf({ structured, text }: PlainResult): unknown {
  return structured === undefined ? text : structured
}

/** The names of the members of a record without lists and records in it, in their order; undefined for another value. */
type Names = readonly string[] | undefined

const MOST_NAMES = 16

/** The known ones where they are the same: many lists have one call, of as many sessions. */
function namesOf(value: unknown, known: Names): Names {
  if (known !== undefined && hasNames(value, known)) return known
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const names = Object.keys(value)
  const isShort = names.length <= MOST_NAMES && !names.includes('__proto__')
  return isShort && hasNames(value, names) ? names : undefined
}

/** Whether the value has exactly these members. A value of another kind has no names, and any such value is alike. */
function hasNames(value: unknown, names: Names): boolean {
  if (names === undefined) return true
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  let count = 0
  for (const name in value) {
    if (name !== names[count++]) return false
    const member = (value as Record<string, unknown>)[name]
    if (typeof member === 'object' && member !== null) return false
  }
  return count === names.length
}

function putMembers(value: unknown, names: Names, values: PackedValues): void {
  if (names === undefined) values.put(value)
  else for (let index = 0; index < names.length; index++) values.put((value as never)[names[index]!])
}

/** The value again, which its readers may not change. */
function takeMembers(names: Names, values: PackedValues): unknown {
  if (names === undefined) return deepFreeze(values.take())
  return Object.freeze(Object.fromEntries(names.map((name) => [name, values.take()])))
}

/** A call of a list. */
export class PlainCall implements StoredCall {
  readonly position: number
  readonly age: number
  private readonly list: PlainCalls
  private readonly start: number
  /** The state and the events of later writes, of which most calls have none. */
  private continued: OtherCall | undefined = undefined

  constructor(list: PlainCalls, start: number, { position, age }: StoredWhere) {
    this.position = position
    this.age = age
    this.list = list
    this.start = start
  }

  get invocationId(): string {
    return this.list.idOf(this.start)
  }

  get tenant(): string {
    return this.list.common.tenant
  }

  get toolId(): string {
    return this.continued?.toolId ?? this.list.common.toolId
  }

  get surfaceId(): string {
    return this.list.common.surfaceId
  }

  get actor(): string | undefined {
    return this.list.common.actor
  }

  get session(): string | undefined {
    return this.list.common.session
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

  get events(): EventList {
    return this.list.eventsOf(this.start)
  }

  continue(row: CallRow, chunk: LoggedChunk): void {
    this.continued ??= new OtherCall(row, [], { position: this.position, age: this.age })
    this.continued.continue(row, chunk)
  }

  forget(): void {
    this.list.clear(this.start)
  }
}
