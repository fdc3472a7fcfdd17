import type { EventClass } from '../../contract/unions.js'
import { eventCount, eventTypeAt, type EventList } from '../event-list.js'
import type { DatabaseSync } from './open-database.js'
import { packEvents, unpackEvents, type Numbering, type PackedRow } from './pack-events.js'

/** Data that many events share: written once, and referred to by number. */
export interface Constants {
  /** The events as text, shared data replaced by its number. Must run inside the transaction that writes them. */
  pack(events: Readonly<EventList>, row: PackedRow): string
  unpack(body: string, row: PackedRow): EventList
  /** The transaction was rolled back, and with it the numbers that were assigned. */
  forget(): void
}

interface Pattern {
  readonly types: readonly EventClass[]
  readonly number: number
}

/** Longer lists are rarely alike. */
const LONGEST_PATTERN = 16
/** Of each length. */
const MOST_PATTERNS = 100

export function createConstants(database: DatabaseSync): Constants {
  const insert = database.prepare('INSERT INTO constants (body) VALUES (?) ON CONFLICT DO NOTHING')
  const findBody = database.prepare('SELECT body FROM constants WHERE id = ?')
  const findId = database.prepare('SELECT id FROM constants WHERE body = ?')
  const bodies = new Map<number, object>()
  let ids = new WeakMap<object, number>()
  /** By the number of their types. */
  let patterns: Pattern[][] = []

  function numberOf(data: object): number {
    const known = ids.get(data)
    if (known !== undefined) return known
    const number = assign(data)
    ids.set(data, number)
    return number
  }

  function assign(data: object): number {
    const body = JSON.stringify(data)
    insert.run(body)
    return (findId.get(body) as { id: number }).id
  }

  function dataOf(id: number): object {
    let data = bodies.get(id)
    if (!data) {
      const { body } = findBody.get(id) as { body: string }
      bodies.set(id, (data = JSON.parse(body) as object))
    }
    return data
  }

  function patternOf(events: Readonly<EventList>): number | undefined {
    const count = eventCount(events)
    if (count > LONGEST_PATTERN) return undefined
    const known = (patterns[count] ??= [])
    for (const { types, number } of known) if (hasTypes(events, types)) return number
    if (known.length === MOST_PATTERNS) return undefined
    const types = Array.from({ length: count }, (_, index) => eventTypeAt(events, index))
    const number = assign(types)
    known.push({ types, number })
    return number
  }

  const numbering: Numbering = { numberOf, dataOf, patternOf }
  return {
    pack: (events, row) => packEvents(events, row, numbering),
    unpack: (body, row) => unpackEvents(body, row, numbering),
    forget() {
      ids = new WeakMap()
      patterns = []
    },
  }
}

function hasTypes(events: Readonly<EventList>, types: readonly EventClass[]): boolean {
  for (let index = 0; index < types.length; index++)
    if (eventTypeAt(events, index) !== types[index]) return false
  return true
}
