import type { Store } from '../../storage/store.js'

const KIND = 'actor'
const TRIES = 20

interface KnownActor {
  above: string[]
}

/** Remembers who stands above an actor. It only grows: whoever once worked for another is not asked about their calls. */
export async function rememberAbove(
  store: Store,
  { tenant, actor, above, now }: { tenant: string; actor: string; above: readonly string[]; now: number },
): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    const found = await store.getDocument(tenant, KIND, actor)
    const known = (found?.value as KnownActor | undefined)?.above ?? []
    const all = [...new Set([...known, ...above])]
    if (all.length === known.length) return
    const { conflictingDocuments } = await store.write({
      documents: [
        {
          tenant,
          kind: KIND,
          id: actor,
          updatedAt: now,
          value: { above: all } satisfies KnownActor,
          expectedRevision: found?.revision ?? 0,
        },
      ],
    })
    if (conflictingDocuments.length === 0) return
  }
  throw new Error(`Who stands above "${actor}" could not be written down; try again.`)
}

/** Everyone above an actor, directly or through others, as far as any surface of the store said so. */
export async function knownAbove(
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
