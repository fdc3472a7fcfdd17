import type { Store } from '../../storage/store.js'
import { updateDocument } from '../../storage/update-document.js'

const KIND = 'actor'

interface KnownActor {
  above: string[]
}

/**
 * Records the parents of an actor. Entries are never removed: an actor that once worked for another may not approve
 * their calls.
 */
export async function rememberParents(
  store: Store,
  { tenant, actor, above, now }: { tenant: string; actor: string; above: readonly string[]; now: number },
): Promise<void> {
  await updateDocument(
    store,
    { tenant, kind: KIND, id: actor },
    (found) => {
      const known = (found?.value as KnownActor | undefined)?.above ?? []
      const all = [...new Set([...known, ...above])]
      if (all.length === known.length) return { result: undefined }
      return { value: { above: all } satisfies KnownActor, result: undefined }
    },
    { now: () => now },
  )
}

/** All parents of an actor, direct and indirect, as recorded by any surface of the store. */
export async function readParents(
  store: Store,
  { tenant, actor, above = [] }: { tenant: string; actor: string; above?: readonly string[] | undefined },
): Promise<Set<string>> {
  const found = new Set<string>(above)
  const open = [actor, ...above]
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    const document = await store.getDocument(tenant, KIND, each)
    for (const next of (document?.value as KnownActor | undefined)?.above ?? []) {
      if (found.has(next)) continue
      found.add(next)
      open.push(next)
    }
  }
  return found
}
