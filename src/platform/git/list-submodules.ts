import { lstatSync, readFileSync, type BigIntStats } from 'node:fs'

const MAX_BYTES = 64 * 1024 * 1024
const SUBMODULE = 0o160000
const FOLDER = 0o040000
const EXTENDED = 0x4000
/** Modes, times and sizes of a file, before its hash. */
const STAT_BYTES = 40

const NONE: readonly string[] = []
// A file that was written just now may be written again without a change of its times.
const RECENT_MS = 3000n

let last: { path: string; stamp: string; paths: readonly string[] | undefined } | undefined

/** The paths of the submodules in an index, or undefined where they cannot be determined. */
export function listSubmodules(path: string, hashBytes: number): readonly string[] | undefined {
  let found: BigIntStats | undefined
  try {
    found = lstatSync(path, { bigint: true, throwIfNoEntry: false })
    if (found === undefined) return NONE
    if (!found.isFile() || found.size > MAX_BYTES) return undefined
    const stamp = [found.dev, found.ino, found.size, found.mtimeNs, found.ctimeNs, hashBytes].join(' ')
    if (last?.path === path && last.stamp === stamp) return last.paths
    const paths = readIndex(readFileSync(path), hashBytes)
    const isOld = BigInt(Date.now()) - found.ctimeMs > RECENT_MS
    if (isOld) last = { path, stamp, paths }
    return paths
  } catch {
    return undefined
  }
}

/** Walks the entries of an index of version 2, 3 or 4. Undefined where entries are in another file. */
function readIndex(index: Buffer, hashBytes: number): readonly string[] | undefined {
  if (index.length < 12 + hashBytes || index.toString('latin1', 0, 4) !== 'DIRC') return undefined
  const version = index.readUInt32BE(4)
  if (version < 2 || version > 4) return undefined
  const paths: string[] = []
  let at = 12
  let name = Buffer.alloc(0)
  for (let left = index.readUInt32BE(8); left > 0; left--) {
    const mode = index.readUInt32BE(at + 24) & 0o170000
    // A folder entry represents entries that were omitted.
    if (mode === FOLDER) return undefined
    const flagsAt = at + STAT_BYTES + hashBytes
    let nameAt = flagsAt + ((index.readUInt16BE(flagsAt) & EXTENDED) === 0 ? 2 : 4)
    let kept = 0
    if (version === 4) {
      const cut = readNumber(index, nameAt)
      kept = name.length - cut.value
      nameAt = cut.next
      if (kept < 0) return undefined
    }
    const end = index.indexOf(0, nameAt)
    if (end === -1) return undefined
    if (version === 4) name = Buffer.concat([name.subarray(0, kept), index.subarray(nameAt, end)])
    if (mode === SUBMODULE) paths.push((version === 4 ? name : index.subarray(nameAt, end)).toString())
    at = version === 4 ? end + 1 : at + ((end - at + 8) & ~7)
  }
  return hasLink(index, at, hashBytes) ? undefined : paths
}

/** Git's variable-length number: seven bits a byte, the highest bit set in each byte but the last. */
function readNumber(index: Buffer, from: number): { value: number; next: number } {
  let at = from
  let byte = index.readUInt8(at++)
  let value = byte & 0x7f
  while ((byte & 0x80) !== 0) {
    byte = index.readUInt8(at++)
    value = (value + 1) * 128 + (byte & 0x7f)
  }
  return { value, next: at }
}

/** Whether an extension says that entries are in a shared index. */
function hasLink(index: Buffer, from: number, hashBytes: number): boolean {
  let at = from
  while (at + 8 <= index.length - hashBytes) {
    if (index.toString('latin1', at, at + 4) === 'link') return true
    at += 8 + index.readUInt32BE(at + 4)
  }
  return false
}
