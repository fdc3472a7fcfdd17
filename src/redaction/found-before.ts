import { Buffer } from 'node:buffer'
import { ESCAPE_SIGN, type EscapedForm } from './escaped-form.js'
import { formsOf } from './exact-secrets.js'
import { createMany, findMany, SHORTEST_OF_MANY, type Many } from './find/find-many.js'
import { mergeSpans, type FoundSecret } from './secret-span.js'

/**
 * The secrets that were found in a text so far. They are masked wherever they occur again, without a name beside them.
 */
export interface FoundBefore {
  /** Remembers the texts of these spans. Returns the spans where the same texts occur again after them, or anywhere. */
  repeatsOf(text: string, found: readonly FoundSecret[], where: 'after' | 'anywhere'): FoundSecret[]
  /** Remembers a secret. */
  add(secret: string): void
  /** The spans of remembered secrets; undefined where there are none. */
  find(text: string): FoundSecret[] | undefined
  /** Copies the remembered secrets to another. */
  copyTo(other: FoundBefore): void
  readonly isEmpty: boolean
}

/** More than that are a list of secrets, each of which has its own name. */
const MOST_REMEMBERED = 64

export function createFoundBefore(): FoundBefore {
  return new Remembered()
}

// A class with a plain field: every text of every call asks whether it is empty.
class Remembered implements FoundBefore {
  isEmpty = true
  private readonly secrets = new Set<string>()
  private sought: Sought | undefined = undefined

  private remember(plain: readonly string[]): void {
    const { secrets } = this
    for (const one of plain) {
      if (secrets.has(one)) continue
      secrets.add(one)
      this.isEmpty = false
      this.sought = undefined
    }
    while (secrets.size > MOST_REMEMBERED) secrets.delete(secrets.keys().next().value!)
  }

  add(secret: string): void {
    this.remember(plainOf(secret))
  }

  repeatsOf(text: string, found: readonly FoundSecret[], where: 'after' | 'anywhere'): FoundSecret[] {
    /** Each secret, and where it was found first. */
    const first = new Map<string, number>()
    for (const { start, end } of found)
      for (const plain of plainOf(text.slice(start, end))) if (!first.has(plain)) first.set(plain, end)
    if (first.size === 0) return []
    this.remember([...first.keys()])
    const repeats = findSought(
      text,
      soughtFor([...first.keys()]),
      (secret, start) => where === 'anywhere' || start >= first.get(secret)!,
    )
    return repeats.filter((span) => !found.some(({ start, end }) => span.start >= start && span.end <= end))
  }

  find(text: string): FoundSecret[] | undefined {
    if (this.isEmpty) return undefined
    this.sought ??= soughtFor([...this.secrets])
    const again = findSought(text, this.sought, () => true)
    return again.length === 0 ? undefined : again
  }

  copyTo(other: FoundBefore): void {
    for (const secret of this.secrets) other.add(secret)
  }
}

/** Secrets in all their forms; beside each form the secret that it belongs to. */
interface Sought {
  many: Many
  secrets: readonly string[]
  /** For a form that only says where an escaped one may be. */
  patterns: readonly (EscapedForm | undefined)[]
  /** Secrets without such a form: they are searched for in every text with escapes. */
  loose: readonly { secret: string; escaped: EscapedForm }[]
}

function soughtFor(list: readonly string[]): Sought {
  const forms: string[] = []
  const secrets: string[] = []
  const patterns: (EscapedForm | undefined)[] = []
  const loose: { secret: string; escaped: EscapedForm }[] = []
  for (const secret of list) {
    const { literal, escaped } = formsOf(secret)
    for (const form of literal) {
      forms.push(form)
      secrets.push(secret)
      patterns.push(undefined)
    }
    if (escaped === undefined) continue
    if (escaped.core.length < SHORTEST_OF_MANY) {
      loose.push({ secret, escaped })
      continue
    }
    forms.push(escaped.core)
    secrets.push(secret)
    patterns.push(escaped)
  }
  return { many: createMany(forms), secrets, patterns, loose }
}

export const REPEATED = 'repeated_secret'

function findSought(
  text: string,
  { many, secrets, patterns, loose }: Sought,
  counts: (secret: string, start: number) => boolean,
): FoundSecret[] {
  const found: FoundSecret[] = []
  const mayBeEscaped = new Set<number>()
  findMany(text, many, (index, start) => {
    if (patterns[index] !== undefined) mayBeEscaped.add(index)
    else if (counts(secrets[index]!, start))
      found.push({ start, end: start + many.forms[index]!.length, rule: REPEATED })
  })
  const escapes = [...mayBeEscaped].map((index) => ({ secret: secrets[index]!, escaped: patterns[index]! }))
  if (escapes.length + loose.length === 0 || !ESCAPE_SIGN.test(text)) return found
  for (const { secret, escaped } of [...escapes, ...loose]) {
    if (!text.includes(escaped.core)) continue
    for (const { index: start, 0: hit } of text.matchAll(escaped.pattern))
      if (counts(secret, start)) found.push({ start, end: start + hit.length, rule: REPEATED })
  }
  return found
}

const SHORTEST = 8
const LONGEST = 4096
/** A long one needs no digit: no word and no name is so long. */
const LONG = 24

/** Whether it can be told from words and names: `password`, `localhost` and `user-name` would be masked everywhere. */
function isDistinctive(secret: string): boolean {
  if (secret.length < SHORTEST || secret.length > LONGEST || secret.includes('[redacted')) return false
  if (/^[\d.,:+-]+$/.test(secret)) return secret.length >= 12
  if (/^(?:\w+:)?\/\/[^/]*\/?$/.test(secret)) return false
  const classes = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9_.\s-]/].filter((kind) => kind.test(secret)).length
  if (/\d/.test(secret) ? classes >= 2 : classes >= 3) return new Set(secret).size >= 5
  return secret.length >= LONG && !/\s/.test(secret)
}

const BASE64 = /^[A-Za-z0-9+/_-]{8,2048}={0,2}$/

/**
 * The parts of it that can be told from other words. Where an encoded secret was found, the decoded secret too: the
 * next text may contain it in plain.
 */
function plainOf(found: string): string[] {
  const plain = [found]
  for (const decoded of [fromPercent(found), fromJson(found), fromEntities(found), fromBase64(found)])
    if (decoded !== undefined && decoded !== found) plain.push(decoded)
  return plain.filter(isDistinctive)
}

function fromPercent(text: string): string | undefined {
  if (!/%[0-9a-fA-F]{2}/.test(text)) return undefined
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

function fromJson(text: string): string | undefined {
  if (!text.includes('\\')) return undefined
  try {
    const decoded: unknown = JSON.parse(`"${text}"`)
    return typeof decoded === 'string' ? decoded : undefined
  } catch {
    return undefined
  }
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function fromEntities(text: string): string | undefined {
  if (!text.includes('&')) return undefined
  return text.replace(
    /&(?:#(\d{1,6})|#[xX]([0-9a-fA-F]{1,5})|(amp|lt|gt|quot|apos));/g,
    (_, decimal, hex, name) =>
      name === undefined
        ? String.fromCodePoint(Math.min(0x10_ff_ff, Number(decimal ?? `0x${hex}`)))
        : NAMED[name]!,
  )
}

/** Only values that were text before; of a login, the password. */
function fromBase64(text: string): string | undefined {
  if (!BASE64.test(text)) return undefined
  const decoded = Buffer.from(text, 'base64').toString('latin1')
  if (!/^[\x20-\x7e]+$/.test(decoded)) return undefined
  return /^[\w.@-]{1,64}:(.+)$/.exec(decoded)?.[1] ?? decoded
}

/** The given spans, and the same texts again wherever they occur. */
export function withRepeats(text: string, found: readonly FoundSecret[]): readonly FoundSecret[] {
  const repeats = createFoundBefore().repeatsOf(text, found, 'anywhere')
  return repeats.length === 0 ? found : mergeSpans([...found, ...repeats])
}
