import { toJson } from '../../platform/json/to-json.js'
import { isShared, type EventList } from '../event-list.js'
import { DecisionData } from '../decision-data.js'
import type { DatabaseSync } from './open-database.js'

/** Data that many events share: written once, and referred to by number. */
export interface Constants {
  /** The events as text, shared data replaced by its number. Must run inside the transaction that writes them. */
  pack(events: Readonly<EventList>): string
  unpack(body: string): EventList
  /** The transaction was rolled back, and with it the numbers that were assigned. */
  forget(): void
}

/** The index of an event's data in the flat list. */
const DATA = 2
const WIDTH = 3

/** Replaces the model's content in a result, where that is the content itself: large texts are written once. */
const SAME = 0

interface DuplicatedContent {
  content: unknown
  model_facing_content: unknown
}

function hasDuplicatedContent(data: object): data is DuplicatedContent {
  return 'model_facing_content' in data && 'content' in data && data.model_facing_content === data.content
}

function isPacked(data: unknown): data is DuplicatedContent {
  return (
    typeof data === 'object' &&
    data !== null &&
    'model_facing_content' in data &&
    data.model_facing_content === SAME
  )
}

/** Data that cannot be written is marked as such: one fact must not keep all others from the record. */
function toText(packed: EventList): string {
  try {
    return JSON.stringify(packed)
  } catch {
    const written = packed.map((each) =>
      typeof each === 'object' && each !== null ? (toJson(each) ?? UNWRITABLE) : each,
    )
    return JSON.stringify(written)
  }
}

const UNWRITABLE = { unwritable: true }

export function createConstants(database: DatabaseSync): Constants {
  const insert = database.prepare('INSERT INTO constants (body) VALUES (?) ON CONFLICT DO NOTHING')
  const findBody = database.prepare('SELECT body FROM constants WHERE id = ?')
  const findId = database.prepare('SELECT id FROM constants WHERE body = ?')
  const bodies = new Map<number, object>()
  let ids = new WeakMap<object, number>()

  function numberOf(data: object): number {
    const known = ids.get(data)
    if (known !== undefined) return known
    const body = JSON.stringify(data)
    insert.run(body)
    const { id } = findId.get(body) as { id: number }
    ids.set(data, id)
    return id
  }

  function dataOf(id: number): object {
    let data = bodies.get(id)
    if (!data) {
      const { body } = findBody.get(id) as { body: string }
      bodies.set(id, (data = JSON.parse(body) as object))
    }
    return data
  }

  return {
    pack(events) {
      const packed = [...events]
      for (let index = DATA; index < packed.length; index += WIDTH) {
        const data = packed[index]
        if (typeof data !== 'object' || data === null) continue
        if (isShared(data)) packed[index] = numberOf(data)
        else if (data instanceof DecisionData)
          packed[index] = isShared(data.base) ? [numberOf(data.base), data.added.toData()] : data.whole()
        else if (hasDuplicatedContent(data)) packed[index] = { ...data, model_facing_content: SAME }
      }
      return toText(packed)
    },
    unpack(body) {
      const events = JSON.parse(body) as EventList
      for (let index = DATA; index < events.length; index += WIDTH) {
        const data = events[index]
        if (typeof data === 'number') events[index] = dataOf(data)
        else if (Array.isArray(data)) {
          const [shared, added] = data as [number, object]
          events[index] = { ...dataOf(shared), ...added }
        } else if (isPacked(data)) data.model_facing_content = data.content
      }
      return events
    },
    forget() {
      ids = new WeakMap()
    },
  }
}
