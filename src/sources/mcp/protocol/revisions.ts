/** Revisions that open with `initialize` and keep a session, oldest first. */
export const legacyRevisions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const
export const LATEST_LEGACY = '2025-11-25'
/** Revisions without sessions, in which every request is self-contained. */
export const modernRevisions = ['2026-07-28'] as const
export const LATEST_MODERN = '2026-07-28'

/** The era of a peer: with a handshake and a session, or with everything in each request. */
export type Era = 'legacy' | 'modern'

export function eraOf(revision: string): Era | undefined {
  if ((legacyRevisions as readonly string[]).includes(revision)) return 'legacy'
  return (modernRevisions as readonly string[]).includes(revision) ? 'modern' : undefined
}

/** The revision of a session: the one that the client requests if it is supported, otherwise the newest. */
export function agreedRevision(asked: unknown): string {
  return typeof asked === 'string' && eraOf(asked) === 'legacy' ? asked : LATEST_LEGACY
}
