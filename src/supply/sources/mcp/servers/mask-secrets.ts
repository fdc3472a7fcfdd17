import type { McpServerSettings } from '../server-settings.js'

/** What is shorter is no secret, and would be found in many a word. */
const SHORTEST = 8
const MASK = '[secret]'

export type Mask = (text: string) => string

/** Hides what the settings of a server hold in confidence, wherever the server repeats it. */
export function maskSecrets({ headers, env, oauth }: McpServerSettings): Mask {
  const values = [...Object.values(headers ?? {}), ...Object.values(env ?? {}), oauth?.clientSecret ?? '']
  // Of "Bearer abc" the second word is what counts.
  const secrets = [...new Set(values.flatMap((value) => [value.trim(), ...value.trim().split(/\s+/)]))]
    .filter(({ length }) => length >= SHORTEST)
    .sort((a, b) => b.length - a.length)
  if (secrets.length === 0) return (text) => text
  return (text) => secrets.reduce((masked, secret) => masked.replaceAll(secret, MASK), text)
}

/** The same error, with its sentence masked. */
export function maskError(error: unknown, mask: Mask): unknown {
  if (error instanceof Error) {
    const masked = mask(error.message)
    if (masked !== error.message) error.message = masked
  }
  return error
}
