/** The owner of a connection that is not shared by all. */
export interface ConnectionOwner {
  readonly session?: string | undefined
  readonly actor?: string | undefined
}

/** The owner of the connection for a request, and its key; undefined where the connection is shared by all. */
export function connectionOwner(
  asking: ConnectionOwner,
  { isShared, isPerUser }: { isShared: boolean; isPerUser: boolean },
): (ConnectionOwner & { key: string }) | undefined {
  const session = isShared ? undefined : asking.session
  const actor = isPerUser ? asking.actor : undefined
  if (session === undefined && actor === undefined) return undefined
  return { session, actor, key: JSON.stringify([session ?? null, actor ?? null]) }
}
