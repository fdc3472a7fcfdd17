import { createHash } from 'node:crypto'

const MAX_LENGTH = 64
const HASH_LENGTH = 12

/** Segments that survive being joined by `__`: no underscore at either end, no two in a row. */
const CLEAN = /^[A-Za-z0-9]+(?:[_-][A-Za-z0-9]+)*(?:\.[A-Za-z0-9]+(?:[_-][A-Za-z0-9]+)*)*$/

/**
 * The tool's name for model providers: at most 64 of `[A-Za-z0-9_-]`. It depends on the id alone, so that it is the
 * same in every process and whatever else is registered. Clean ids only change `.` to `__`, which is reversible; all
 * others end with `--` and a hash of the whole id, which no clean id has.
 */
export function providerName(toolId: string): string {
  const joined = toolId.replaceAll('.', '__')
  if (joined.length <= MAX_LENGTH && CLEAN.test(toolId)) return joined
  const hash = createHash('sha256').update(toolId).digest('hex').slice(0, HASH_LENGTH)
  const readable = joined.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, MAX_LENGTH - HASH_LENGTH - 2)
  return `${readable}--${hash}`
}
