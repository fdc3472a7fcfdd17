import { MASK } from './mask-fields.js'

/** The number of values that consist of a mask only. */
export function countMasks(value: unknown): number {
  if (value === MASK) return 1
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce<number>((sum, member) => sum + countMasks(member), 0)
}
