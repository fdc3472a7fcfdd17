/** Data of an event that is made when the event is read or written: most events are never read. */
export abstract class ComputedData {
  /** The same each time. */
  abstract whole(): object

  /** For stores that write events as JSON. */
  toJSON(): object {
    return this.whole()
  }
}
