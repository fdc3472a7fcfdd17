import { ComputedData } from '../computed-data.js'

/**
 * How a document is kept: as its JSON, because its writer may go on changing the value; or as the value itself where it is
 * frozen and flat. That shares its texts with the writer, which matters for the many documents of a large catalog. Data
 * that is made when it is read stays so.
 */
export type KeptValue = string | ComputedData | Readonly<Record<string, unknown>>

/** Undefined if the value is not JSON. */
export function keepValue(value: unknown): KeptValue | undefined {
  return value instanceof ComputedData || isFrozenFlat(value) ? value : JSON.stringify(value)
}

/** A value of the reader's own. */
export function readKept(kept: KeptValue): unknown {
  if (typeof kept === 'string') return JSON.parse(kept)
  return kept instanceof ComputedData ? JSON.parse(JSON.stringify(kept)) : { ...kept }
}

/** Whether JSON would keep every member as it is. */
function isFrozenFlat(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.isFrozen(value))
    return false
  if ('toJSON' in value || Object.getPrototypeOf(value) !== Object.prototype) return false
  return Object.values(value).every(
    (member) => typeof member === 'string' || typeof member === 'boolean' || Number.isSafeInteger(member),
  )
}
