import { Buffer } from 'node:buffer'
import { ESCAPE_SIGN, escapedForm, type EscapedForm } from './escaped-form.js'
import { MASK } from './mask-fields.js'
import type { FoundSecret } from './secret-span.js'

/** Shorter secrets would be found in any text. */
export const SHORTEST_SECRET = 4
/** A shorter secret is so short in Base64 that it occurs in other words. */
const SHORTEST_ENCODED = 8

/** A secret whose exact text is known, in every form in which a text may contain it. */
export interface ExactSecrets {
  /** Plain and in Base64; longest first. */
  readonly forms: readonly string[]
  /** Those of the forms that a number may have as a text. */
  readonly numbers: readonly string[]
  /** With special characters escaped. */
  readonly escaped: readonly EscapedForm[]
  readonly longest: number
  readonly hasLineEnd: boolean
}

/** The forms of one secret. */
interface Forms {
  literal: readonly string[]
  escaped: EscapedForm | undefined
  longest: number
}

/** An escape turns one character into six: `\\u002f`. */
const ESCAPE_LENGTH = 6

function writeForms(secret: string): Forms {
  const literal = [...new Set([secret, ...base64Forms(secret)])]
  const escaped = escapedForm(secret)
  const longest = Math.max(...literal.map((form) => form.length))
  return {
    literal,
    escaped,
    longest: escaped === undefined ? longest : Math.max(longest, secret.length * ESCAPE_LENGTH),
  }
}

/** Inside a longer encoded text, the secret may begin at any of three offsets; only its middle is the same then. */
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

const known = new Map<string, Forms>()
const MOST_KNOWN = 4096

/** Computed once: the same secrets are used repeatedly. */
export function formsOf(secret: string): Forms {
  let forms = known.get(secret)
  if (forms === undefined) {
    // The forms of a secret that was used once are not kept forever.
    if (known.size >= MOST_KNOWN) known.clear()
    forms = writeForms(secret)
    known.set(secret, forms)
  }
  return forms
}

/** All forms of all secrets. Secrets that are too short, or part of the mask itself, are excluded. */
export function exactSecrets(secrets: readonly string[]): ExactSecrets {
  const literal = new Set<string>()
  const escaped: EscapedForm[] = []
  let longest = 0
  for (const secret of secrets) {
    if (secret.length < SHORTEST_SECRET) continue
    const forms = formsOf(secret)
    for (const form of forms.literal) if (!MASK.includes(form)) literal.add(form)
    if (forms.escaped !== undefined) escaped.push(forms.escaped)
    longest = Math.max(longest, forms.longest)
  }
  const list = [...literal].sort((a, b) => b.length - a.length)
  return {
    forms: list,
    numbers: list.filter((form) => NUMBER.test(form)),
    escaped,
    longest,
    hasLineEnd: list.some((form) => form.includes('\n')),
  }
}

/** Also of numbers that JSON does not know. */
const NUMBER = /^(?:[-+.\de]+|NaN|-?Infinity)$/

export const NO_EXACT: ExactSecrets = {
  forms: [],
  numbers: [],
  escaped: [],
  longest: 0,
  hasLineEnd: false,
}

/** Every occurrence, also overlapping ones: the rest must not contain half of a secret. */
export function findExact(text: string, { forms, escaped }: ExactSecrets): FoundSecret[] | undefined {
  let found: FoundSecret[] | undefined
  for (const form of forms)
    for (let at = text.indexOf(form); at !== -1; at = text.indexOf(form, at + 1)) {
      found ??= []
      found.push({ start: at, end: at + form.length, rule: 'known_secret' })
    }
  let mayEscape: boolean | undefined
  for (const { core, pattern } of escaped) {
    // First, because few texts have it, and looking for the signs takes longer than for a text.
    if (!text.includes(core)) continue
    mayEscape ??= ESCAPE_SIGN.test(text)
    if (!mayEscape) return found
    pattern.lastIndex = 0
    for (let hit = pattern.exec(text); hit !== null; hit = pattern.exec(text)) {
      found ??= []
      found.push({ start: hit.index, end: pattern.lastIndex, rule: 'known_secret' })
    }
  }
  return found
}
