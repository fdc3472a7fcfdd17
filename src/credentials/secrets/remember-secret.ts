/** How long a secret of another program or host is used before it is read again. */
const REMEMBERED_MS = 5 * 60_000

export interface RememberedSecret {
  /** Reads it; a remembered one is enough unless it was refused, is too old or is of another version. */
  (options: { readonly isRefused: boolean; readonly version?: string }): Promise<string | undefined>
}

/** Keeps a secret in memory for a limited time. */
export function rememberSecret({
  load,
  now,
  forMs = REMEMBERED_MS,
}: {
  load(): Promise<string | undefined>
  now(): number
  readonly forMs?: number
}): RememberedSecret {
  let kept:
    { readonly value: string; readonly atMs: number; readonly version: string | undefined } | undefined
  return async ({ isRefused, version }) => {
    if (kept && !isRefused && kept.version === version && now() - kept.atMs < forMs) return kept.value
    const atMs = now()
    const value = await load()
    kept = value === undefined ? undefined : { value, atMs, version }
    return value
  }
}
