import { callOptions, checkCall, checkSurface } from '../calls/check-call.js'
import type { CallOptions } from '../calls/start-call.js'
import type { Surface } from '../surfaces/surface.js'

/** One call of a batch. */
export interface BatchCall extends CallOptions {
  /** A name for the call in this batch, used in `dependsOn`. */
  id?: string
  /** Calls that must end before this one starts: their ids, native call ids or indexes (from 0). */
  dependsOn?: readonly (string | number)[]
}

const BATCH_CALL_OPTIONS: ReadonlySet<string> = new Set([...callOptions, 'id', 'dependsOn'])
const NONE: readonly never[] = []
/** The index of a name that several calls have. */
const AMBIGUOUS = -2

/** The calls of a batch by every name that other calls may use. */
export class CallNames {
  readonly #indexes = new Map<string, number>()
  #count = 0

  /** Checks a call and adds it. Returns the indexes of the calls that it depends on. */
  take(surface: Surface, given: BatchCall): readonly number[] {
    if (typeof given !== 'object' || given === null)
      throw new TypeError('Each call of a batch is { name, input }, with the name of the tool as a text.')
    if ('depends_on' in given)
      throw new TypeError('A call of a batch names those it depends on in "dependsOn", not in "depends_on".')
    checkCall(surface, given, BATCH_CALL_OPTIONS)
    return this.note(given)
  }

  /** Adds a call that is known to be valid. */
  note({
    id,
    nativeCallId,
    dependsOn = NONE,
  }: Pick<BatchCall, 'id' | 'nativeCallId' | 'dependsOn'>): readonly number[] {
    if (id !== undefined && this.#indexes.has(id))
      throw new TypeError(`Two calls of the batch have the id "${id}"; give each one of its own.`)
    if (!Array.isArray(dependsOn))
      throw new TypeError(
        '"dependsOn" is a list of calls of the batch: ids, native call ids or places from 0.',
      )
    const indexes =
      dependsOn.length === 0 ? NONE : dependsOn.map((name: string | number) => this.#indexOf(name))
    if (id !== undefined) this.#indexes.set(id, this.#count)
    if (nativeCallId !== undefined) this.#nameNatively(nativeCallId)
    this.#count++
    return indexes
  }

  /** Native ids should be unique; an id that occurs twice names no call. */
  #nameNatively(nativeCallId: string): void {
    this.#indexes.set(nativeCallId, this.#indexes.has(nativeCallId) ? AMBIGUOUS : this.#count)
  }

  #indexOf(name: string | number): number {
    const index = typeof name === 'number' ? name : (this.#indexes.get(name) ?? -1)
    if (index === AMBIGUOUS)
      throw new TypeError(
        `Two calls of the batch are called ${JSON.stringify(name)}; name the one that is meant by its place (from 0).`,
      )
    if (Number.isInteger(index) && index >= 0 && index < this.#count) return index
    throw new TypeError(
      `A call of the batch depends on ${JSON.stringify(name)}, which is no call before it; ` +
        'name an earlier call by its id, its native call id or its place (from 0).',
    )
  }
}

/** Checks the calls of a batch before any of them starts. */
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
