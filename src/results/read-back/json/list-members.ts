import { decodeSpelling, wholeUnits } from './decode-spelling.js'
import { JsonScanner, type JsonListener } from './json-scanner.js'
import type { ValueLocation } from './locate-value.js'
import type { Member } from '../page.js'
import type { PayloadSource } from '../payload-source.js'
import { readChunks } from '../read-chunks.js'

const MAX_KEY_BYTES = 240

/** A member and the range of its value. */
export interface PlacedMember extends Member {
  start: number
}

/** Some of an array's items or an object's members, in their order, without their texts. */
export async function listMembers(
  source: PayloadSource,
  {
    value,
    from,
    limit,
    signal,
  }: { value: ValueLocation; from: number; limit: number; signal?: AbortSignal | undefined },
): Promise<PlacedMember[]> {
  const lister = new MemberLister(from, from + limit)
  const scanner = new JsonScanner(lister, { offset: value.start, maxKeyBytes: MAX_KEY_BYTES })
  for await (const chunk of readChunks(source, value, signal)) {
    scanner.write(chunk)
    // An object is read to its end: a key of this page may occur again.
    if (value.type === 'array' && lister.isComplete) break
  }
  return lister.members
}

class MemberLister implements JsonListener {
  readonly members: PlacedMember[] = []
  isComplete = false
  readonly #byKey = new Map<string, PlacedMember>()
  #key: { name: string; isCut: boolean } | undefined
  #current: PlacedMember | undefined

  constructor(
    readonly from: number,
    readonly until: number,
  ) {}

  wantsKey(depth: number): boolean {
    return depth === 1
  }

  key(spelled: Buffer, isCut: boolean): void {
    this.#key = {
      name: isCut ? `${decodeSpelling(spelled.subarray(0, wholeUnits(spelled)))}…` : decodeSpelling(spelled),
      isCut,
    }
    if (isCut) return
    const earlier = this.#byKey.get(this.#key.name)
    if (earlier) earlier.isRepeated = true
  }

  start({ type, offset, depth, index }: Parameters<JsonListener['start']>[0]): void {
    if (depth !== 1 || index < this.from || index >= this.until) return
    const name = this.#key?.name ?? index
    const isNameCut = this.#key?.isCut ?? false
    this.#current = {
      name,
      isNameCut,
      type,
      sizeBytes: 0,
      count: 0,
      text: undefined,
      isRepeated: false,
      start: offset,
    }
    if (typeof name === 'string' && !isNameCut) this.#byKey.set(name, this.#current)
  }

  end({ offset, depth, count }: Parameters<JsonListener['end']>[0]): void {
    if (depth !== 1) return
    if (!this.#current) {
      this.isComplete = this.members.length > 0
      return
    }
    this.#current.sizeBytes = offset - this.#current.start
    this.#current.count = count
    this.members.push(this.#current)
    this.#current = undefined
  }
}
