import { Buffer } from 'node:buffer'
import { exactSecrets, findExact, type ExactSecrets } from './exact-secrets.js'
import { mergeSpans, type FoundSecret } from './secret-span.js'

/** The secrets that were found in a text so far. Where one of them comes again nothing has to name it. */
export interface FoundBefore {
  /** Remembers what stands in these places. Returns the places where the same stands again after them, or anywhere. */
  repeatsOf(text: string, found: readonly FoundSecret[], where: 'after' | 'anywhere'): FoundSecret[]
  add(secret: string): void
  /** Undefined as long as there are none. */
  readonly exact: ExactSecrets | undefined
}

/** More than that are a list of secrets, each of which is named. */
const MOST_REMEMBERED = 64

export const REPEATED = 'repeated_secret'

export function createFoundBefore(): FoundBefore {
  const secrets = new Set<string>()
  let exact: ExactSecrets | undefined

  function add(secret: string): ExactSecrets | undefined {
    const plain = plainOf(secret).filter(isTelling)
    if (plain.length === 0) return undefined
    if (plain.some((one) => !secrets.has(one))) exact = undefined
    for (const one of plain) secrets.add(one)
    while (secrets.size > MOST_REMEMBERED) secrets.delete(secrets.keys().next().value!)
    return exactSecrets(plain)
  }

  return {
    add,
    repeatsOf(text, found, where) {
      const repeats: FoundSecret[] = []
      for (const { start, end } of found) {
        const forms = add(text.slice(start, end))
        if (forms === undefined) continue
        for (const span of findExact(text, forms, { from: where === 'after' ? end : 0, rule: REPEATED }) ??
          [])
          repeats.push(span)
      }
      return repeats.filter((span) => !found.some(({ start, end }) => span.start >= start && span.end <= end))
    },
    get exact() {
      if (secrets.size > 0) exact ??= exactSecrets([...secrets])
      return exact
    },
  }
}

const SHORTEST = 8
const LONGEST = 4096
/** A long one needs no digit: no word and no name is so long. */
const LONG = 24

/** Whether it can be told from words and names: `password`, `localhost` and `user-name` would be masked everywhere. */
function isTelling(secret: string): boolean {
  if (secret.length < SHORTEST || secret.length > LONGEST || secret.includes('[redacted')) return false
  if (/^[\d.,:+-]+$/.test(secret)) return secret.length >= 12
  if (/^(?:\w+:)?\/\/[^/]*\/?$/.test(secret)) return false
  const classes = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9_.\s-]/].filter((kind) => kind.test(secret)).length
  if (/\d/.test(secret) ? classes >= 2 : classes >= 3) return new Set(secret).size >= 5
  return secret.length >= LONG && !/\s/.test(secret)
}

const BASE64 = /^[A-Za-z0-9+/_-]{8,2048}={0,2}$/

/** The secret itself, where what was found is an encoding of it: the next text may have it in plain. */
function plainOf(found: string): string[] {
  const plain = [found]
  for (const decoded of [fromPercent(found), fromJson(found), fromEntities(found), fromBase64(found)])
    if (decoded !== undefined && decoded !== found) plain.push(decoded)
  return plain
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

/** Only what was text before; of a login, the password. */
function fromBase64(text: string): string | undefined {
  if (!BASE64.test(text)) return undefined
  const decoded = Buffer.from(text, 'base64').toString('latin1')
  if (!/^[\x20-\x7e]+$/.test(decoded)) return undefined
  return /^[\w.@-]{1,64}:(.+)$/.exec(decoded)?.[1] ?? decoded
}

/** What was found, and the same again wherever it stands in the text. */
export function withRepeats(text: string, found: readonly FoundSecret[]): readonly FoundSecret[] {
  const repeats = createFoundBefore().repeatsOf(text, found, 'anywhere')
  return repeats.length === 0 ? found : mergeSpans([...found, ...repeats])
}
