import { callOptions, checkCall, checkSurface } from '../calls/check-call.js'
import type { CallOptions } from '../calls/start-call.js'
import type { Surface } from '../surfaces/surface.js'

/** One call of a batch. */
export interface BatchCall extends CallOptions {
  /** A name for it in this batch, for those that depend on it. */
  id?: string
  /** Calls that have to end before this one starts: their ids, native call ids or places (from 0). */
  dependsOn?: readonly (string | number)[]
}

const BATCH_CALL_OPTIONS: ReadonlySet<string> = new Set([...callOptions, 'id', 'dependsOn'])
const NONE: readonly never[] = []
/** The place of a name that several calls have. */
const AMBIGUOUS = -2

/** The calls of a batch by all that others may name them by. */
export class CallNames {
  readonly #places = new Map<string, number>()
  #count = 0

  /** Takes a call in, after what is wrong with it has been said. Returns the places of those it depends on. */
  take(surface: Surface, given: BatchCall): readonly number[] {
    if (typeof given !== 'object' || given === null)
      throw new TypeError('Each call of a batch is { name, input }, with the name of the tool as a text.')
    if ('depends_on' in given)
      throw new TypeError('A call of a batch names those it depends on in "dependsOn", not in "depends_on".')
    checkCall(surface, given, BATCH_CALL_OPTIONS)
    return this.note(given)
  }

  /** The same for a call that is known to be well formed. */
  note({
    id,
    nativeCallId,
    dependsOn = NONE,
  }: Pick<BatchCall, 'id' | 'nativeCallId' | 'dependsOn'>): readonly number[] {
    if (id !== undefined && this.#places.has(id))
      throw new TypeError(`Two calls of the batch have the id "${id}"; give each one of its own.`)
    if (!Array.isArray(dependsOn))
      throw new TypeError(
        '"dependsOn" is a list of calls of the batch: ids, native call ids or places from 0.',
      )
    const places =
      dependsOn.length === 0 ? NONE : dependsOn.map((name: string | number) => this.#placeOf(name))
    if (id !== undefined) this.#places.set(id, this.#count)
    if (nativeCallId !== undefined) this.#nameNatively(nativeCallId)
    this.#count++
    return places
  }

  /** Providers should give each call an id of its own; where they do not, the id names none of them. */
  #nameNatively(nativeCallId: string): void {
    this.#places.set(nativeCallId, this.#places.has(nativeCallId) ? AMBIGUOUS : this.#count)
  }

  #placeOf(name: string | number): number {
    const place = typeof name === 'number' ? name : (this.#places.get(name) ?? -1)
    if (place === AMBIGUOUS)
      throw new TypeError(
        `Two calls of the batch are called ${JSON.stringify(name)}; name the one that is meant by its place (from 0).`,
      )
    if (Number.isInteger(place) && place >= 0 && place < this.#count) return place
    throw new TypeError(
      `A call of the batch depends on ${JSON.stringify(name)}, which is no call before it; ` +
        'name an earlier call by its id, its native call id or its place (from 0).',
    )
  }
}

/** Mistakes in the calls of a batch, found before any of them is started. */
export function checkBatchCalls(
  surface: Surface,
  calls: Iterable<BatchCall>,
): { given: BatchCall; dependsOn: readonly number[] }[] {
  checkSurface('crib.batch', surface)
  if (typeof calls !== 'object' || calls === null || !(Symbol.iterator in calls))
    throw new TypeError('crib.batch takes the surface and then a list of calls: [{ name, input }, …].')
  const names = new CallNames()
  return Array.from(calls, (given) => ({ given, dependsOn: names.take(surface, given) }))
}
