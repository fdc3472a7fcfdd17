import { isObject } from '../../../platform/json/is-object.js'
import type { SourceStorage } from '../../source.js'

const KIND = 'shell_doubts'
const ID = 'programs'

/** A program that did more than it was proven to do. */
export interface ProofDoubt {
  readonly program: string
  /** What the sandbox prevented. */
  readonly message: string
  /** The call in which that was seen. */
  readonly invocation_id: string
  /** An ISO time. */
  readonly seen_at: string
}

/** Programs whose proofs are off until a person has looked. All processes that use the store know them. */
export interface ProofDoubts {
  /** Replaced when they change. */
  readonly programs: ReadonlySet<string>
  add(doubts: readonly ProofDoubt[]): Promise<void>
  close(): void
}

export async function openDoubts(storage: SourceStorage): Promise<ProofDoubts> {
  let programs = await programsIn(storage)
  const stop = storage.watch(KIND, () => {
    void programsIn(storage).then(
      (found) => (programs = found),
      // The programs that are known stay in doubt.
      () => {},
    )
  })
  return {
    get programs() {
      return programs
    },
    async add(doubts) {
      await storage.update(KIND, ID, async (found) => ({
        result: undefined,
        value: [
          ...read(found?.value).filter(({ program }) => !doubts.some((each) => each.program === program)),
          ...doubts,
        ],
      }))
      programs = new Set([...programs, ...doubts.map(({ program }) => program)])
    },
    close: stop,
  }
}

export async function listDoubts(storage: Pick<SourceStorage, 'read'>): Promise<ProofDoubt[]> {
  return read((await storage.read(KIND, ID))?.value)
}

/** Removes doubts; without a program, all of them. Returns the removed ones. */
export function clearDoubts(storage: Pick<SourceStorage, 'update'>, program?: string): Promise<ProofDoubt[]> {
  return storage.update(KIND, ID, async (found) => {
    const all = read(found?.value)
    const cleared = all.filter((each) => program === undefined || each.program === program)
    if (cleared.length === 0) return { result: cleared }
    const kept = all.filter((each) => !cleared.includes(each))
    return { result: cleared, value: kept.length > 0 ? kept : undefined }
  })
}

async function programsIn(storage: SourceStorage): Promise<ReadonlySet<string>> {
  return new Set((await listDoubts(storage)).map(({ program }) => program))
}

/** The document is untrusted. */
function read(value: unknown): ProofDoubt[] {
  if (!Array.isArray(value)) return []
  return value.filter((each): each is ProofDoubt => isObject(each) && typeof each['program'] === 'string')
}
