import type { EventList } from '../event-list.js'
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

// A class, so that the calls of all stores have one hidden class.
export class OtherCall implements StoredCall {
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
