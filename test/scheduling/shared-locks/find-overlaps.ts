import { readFileSync } from 'node:fs'
import { locksConflict } from '../../../src/scheduling/locks-conflict.js'
import type { Lock, Slot } from '../../../src/scheduling/claim.js'

type StoredClaim = Lock | Omit<Slot, 'refuse'>

/** A line that children write: after they were admitted, and before they leave. */
export interface RecordLine {
  at: 'in' | 'out'
  id: string
  name: string
  claims: readonly StoredClaim[]
}

export function readRecord(path: string): RecordLine[] {
  const lines = readFileSync(path, 'utf8').split('\n')
  // The last line of a killed child may be truncated.
  return lines.filter((line) => line.endsWith('}')).map((line) => JSON.parse(line) as RecordLine)
}

/**
 * The children that were inside at the same time although their locks conflict. The lines of all children are in one
 * file in the order of writing, so no clock is needed. A killed child has left with its last line.
 */
export function findOverlaps(lines: readonly RecordLine[]): string[] {
  const left = new Set(lines.filter(({ at }) => at === 'out').map(({ id }) => id))
  const inside = new Map<string, RecordLine>()
  const overlaps: string[] = []
  for (const line of lines) {
    if (line.at === 'out') {
      inside.delete(line.id)
      continue
    }
    if (!left.has(line.id)) continue
    for (const other of inside.values()) if (meet(line, other)) overlaps.push(`${line.id} beside ${other.id}`)
    inside.set(line.id, line)
    overlaps.push(...tooMany([...inside.values()]))
  }
  return overlaps
}

function meet(one: RecordLine, other: RecordLine): boolean {
  return one.claims.some((a) => 'mode' in a && other.claims.some((b) => 'mode' in b && locksConflict(a, b)))
}

function tooMany(inside: readonly RecordLine[]): string[] {
  const holders = inside.filter(({ claims }) => claims.some((claim) => 'width' in claim))
  const width = Math.min(...holders.flatMap(({ claims }) => claims.map((c) => ('width' in c ? c.width : 99))))
  return holders.length > width ? [`${holders.length} in ${width} slots`] : []
}
