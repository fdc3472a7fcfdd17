/** What an event adds to its data when somebody reads or writes it. */
export interface AddedData {
  toData(): object
}

/** Data of which a part is worked out when it is read or written: most events in memory are never read. */
export class LazyData {
  /** Many events may share it. */
  readonly base: object
  readonly added: AddedData

  constructor(base: object, added: AddedData) {
    this.base = base
    this.added = added
  }

  whole(): object {
    return { ...this.base, ...this.added.toData() }
  }

  /** For stores that write events as JSON. */
  toJSON(): object {
    return this.whole()
  }
}
