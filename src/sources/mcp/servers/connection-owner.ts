/** Whose a connection is, where it is not everybody's. */
export interface ConnectionOwner {
  readonly session?: string | undefined
  readonly actor?: string | undefined
}

/** Whose connection a request takes, and what it is known by; nothing where it is everybody's. */
export function connectionOwner(
  asking: ConnectionOwner,
  { isShared, isPerUser }: { isShared: boolean; isPerUser: boolean },
): (ConnectionOwner & { key: string }) | undefined {
  const session = isShared ? undefined : asking.session
  const actor = isPerUser ? asking.actor : undefined
  if (session === undefined && actor === undefined) return undefined
  return { session, actor, key: JSON.stringify([session ?? null, actor ?? null]) }
}
