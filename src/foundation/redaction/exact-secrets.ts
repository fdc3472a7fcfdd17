import { Buffer } from 'node:buffer'
import { MASK } from './mask-fields.js'
import type { FoundSecret } from './secret-span.js'

/** Shorter ones would be found in any text. */
export const SHORTEST_SECRET = 4
/** Encoded, a shorter one is so short that it stands in other words. */
const SHORTEST_ENCODED = 8

/** A secret that is known letter for letter, in every form in which a text may hold it. */
export interface ExactSecrets {
  /** Longest first. */
  readonly forms: readonly string[]
  readonly longest: number
  readonly hasLineEnd: boolean
}

function formsOf(secret: string): string[] {
  const forms = new Set([secret])
  forms.add(JSON.stringify(secret).slice(1, -1))
  forms.add(encodeSafely(secret))
  forms.add(encodeSafely(secret).replace(/%20/g, '+'))
  for (const form of base64Forms(secret)) forms.add(form)
  return [...forms]
}

function encodeSafely(secret: string): string {
  try {
    return encodeURIComponent(secret)
  } catch {
    // Half of a character pair cannot be encoded; then nobody can have encoded it.
    return secret
  }
}

/** Inside a longer text that was encoded, the secret may begin at any of three places; only its middle is the same then. */
function base64Forms(secret: string): string[] {
  const forms: string[] = []
  for (let shift = 0; shift < 3; shift++) {
    const encoded = Buffer.from(' '.repeat(shift) + secret)
      .toString('base64')
      .replace(/=+$/, '')
    const bytes = Buffer.byteLength(secret) + shift
    const start = shift === 0 ? 0 : shift + 1
    const end = bytes % 3 === 0 ? encoded.length : encoded.length - 1
    const stable = encoded.slice(start, end)
    const whole = shift === 0 ? encoded : stable
    for (const form of [stable, whole])
      if (form.length >= SHORTEST_ENCODED) forms.push(form, form.replace(/\+/g, '-').replace(/\//g, '_'))
  }
  return forms
}

const known = new Map<string, readonly string[]>()
const MOST_KNOWN = 4096

function knownFormsOf(secret: string): readonly string[] {
  let forms = known.get(secret)
  if (forms === undefined) {
    // The forms of a secret that was used once are not kept for ever.
    if (known.size >= MOST_KNOWN) known.clear()
    forms = formsOf(secret)
    known.set(secret, forms)
  }
  return forms
}

/** All forms of all of them. What is too short, or a part of the mask itself, is left out. */
export function exactSecrets(secrets: readonly string[]): ExactSecrets {
  const forms = new Set<string>()
  for (const secret of secrets)
    if (secret.length >= SHORTEST_SECRET)
      for (const form of knownFormsOf(secret)) if (!MASK.includes(form)) forms.add(form)
  const list = [...forms].sort((a, b) => b.length - a.length)
  return { forms: list, longest: list[0]?.length ?? 0, hasLineEnd: list.some((form) => form.includes('\n')) }
}

export const NO_EXACT: ExactSecrets = { forms: [], longest: 0, hasLineEnd: false }

/** Every place where one of them stands, also where they overlap: what is left over must not be half of one. */
export function findExact(text: string, { forms }: ExactSecrets): FoundSecret[] | undefined {
  let found: FoundSecret[] | undefined
  for (const form of forms)
    for (let at = text.indexOf(form); at !== -1; at = text.indexOf(form, at + 1)) {
      found ??= []
      found.push({ start: at, end: at + form.length, rule: 'known_secret' })
    }
  return found
}
