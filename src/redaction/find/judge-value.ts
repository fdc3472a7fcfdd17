import type { NameKind } from './secret-names.js'

/**
 * How a value is written: in code only quoted text is literal. `line` is a whole line, `config` is where config files,
 * queries and connection strings have values.
 */
export type Writing = 'quoted' | 'bare' | 'line' | 'config'

const LOWER = 1
const UPPER = 2
const DIGIT = 3
const OTHER = 4

function classOf(code: number): number {
  if (code >= 97 && code <= 122) return LOWER
  if (code >= 65 && code <= 90) return UPPER
  if (code >= 48 && code <= 57) return DIGIT
  return OTHER
}

/** More characters of a token give no further information. */
const MOST_LOOKED_AT = 128

/** Not one repeated character, nor a plain word: at least five different ones, and a digit or both cases. */
export function isVaried(text: string, from: number, to: number): boolean {
  const different = new Set<number>()
  let classes = 0
  for (let at = from; at < Math.min(to, from + MOST_LOOKED_AT); at++) {
    const code = text.charCodeAt(at)
    different.add(code)
    classes |= 1 << classOf(code)
  }
  const hasDigit = (classes & (1 << DIGIT)) !== 0
  const hasBothCases = (classes & (1 << LOWER)) !== 0 && (classes & (1 << UPPER)) !== 0
  return (hasDigit || hasBothCases) && different.size >= 5
}

/** Bits per character, by the distribution of the characters in this text. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>()
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length)
  return bits
}

/**
 * How often the kind of character changes, per character. Names change rarely, words begin with their capital; random
 * text changes all the time.
 */
function restlessness(value: string): number {
  let changes = 0
  let last = 0
  for (let at = 0; at < value.length; at++) {
    const now = classOf(value.charCodeAt(at))
    if (last !== 0 && now !== last && !(last === UPPER && now === LOWER) && now !== OTHER && last !== OTHER)
      changes++
    last = now
  }
  return changes / value.length
}

/** A placeholder for a value that a person or a program is to fill in. */
const TEMPLATE =
  /^(?:x+|\*+|\.+|-+|_+|0+|\?+|#+)$|^<.*>$|^\{.*\}$|^%\w*%$|^%[sdv@({-]|^\$[A-Za-z_]\w*(?:$|->|::|[[./:])|^\$[{($]|\$\{[\w.:\s-]*\}|\$\([^)]*\)|\{\{[^}]*\}\}|^@[A-Za-z_]+@?$|x{4,}|X{4,}|\*{3,}|\.{3,}|…|•|<[a-z]/
const PLACEHOLDER =
  /^(?:null|nil|none|undefined|true|false|void|string|number|boolean|bool|object|any|unknown|never|required|optional|default|password1?|passwd|pass|pwd|secret|token|key|test|testing|admin|root|user|username|foo|bar|baz|foobar|abc|abc123|abcd|asdf|qwerty|12345?6?7?8?9?0?|0123456789|123123|changeit|changeme|secret123|password123|test1234?|test123|pass123|hunter2?\*+)$/i
/** Words that indicate a placeholder, unless they only happen to occur in random text. */
const TELLING_WORD =
  /^(?:your|my|the|some|insert|enter|example|sample|dummy|fake|placeholder|change|replace|todo|tbd)[\s_.-]|placeholder|example|changeme|change_me|replace_?me|redacted|masked|hidden|obfuscated|process\.env|os\.environ|getenv|secrets\.|env\.|import\.meta|lorem|goes[_-]?here/i

function isPlaceholder(value: string): boolean {
  if (TEMPLATE.test(value) || PLACEHOLDER.test(value)) return true
  return TELLING_WORD.test(value) && restlessness(value) < 0.18 && !isPhrase(value)
}

/** `^7.0.4`, `>=1.2`, and the numbers of object identifiers. */
const VERSION = /^[~^<>=v\s]*\d+(?:\.\d+){1,20}(?:[-+][\w.+-]*)?$/
/** Names of encodings and algorithms, which occur where values do: `password.encode("utf-8")`. */
const CODEC =
  /^(?:utf-?(?:8|16|32)(?:[-_]?[bl]e)?|latin-?1|us-ascii|iso-8859-\d+|cp\d+|windows-\d+|base(?:16|32|58|64)(?:url)?|sha-?\d+(?:[-_/]\d+)?|md[45]|[hrep]s(?:256|384|512)|(?:aes|rsa|hmac|pbkdf2|ed|x|curve)[-_]?\d+(?:[-_]\w+)*|p-?(?:256|384|521))$/i
/** Pieces that occur only in patterns, and the alphabet in order. */
const PATTERN =
  /\(\?[:=!<]|\[\^?(?:[a-z]-[a-z]|[A-Z]-[A-Z]|0-9)|\[%s\]|\{hex\}|\(%s|\\[dwsbDWS][+*{]|abcdefghijklmnop|ABCDEFGHIJKLMNOP/
/** `us-east-1:000000000000:orders`, the rest of a resource name. */
const RESOURCE = /^[a-z0-9-]+:[a-z0-9-]*:\d{0,12}:/
const SMALL_HEX = /^0x[0-9a-f]{1,16}$/i

const HEX_ONLY = /^(?:0x)?[0-9a-fA-F]+$/
const UUID = /^[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$/
/** Also after a word that says what kind of path it is: `file:/tmp/x`, as in keys of locks. */
const PATH =
  /^(?:(?:[a-z][\w+-]{1,20}:){1,3}(?=[\\/~]|[A-Za-z]:[\\/]))?(?:\.{0,2}|~|[A-Za-z]:|@[\w-]+)[\\/][\w.@\\/ -]*$|^[\w.-]+(?:\/[\w.-]+)*\.[A-Za-z]{1,5}$|^\/\//
const DATE = /^\d{4}-\d\d?-\d\d?(?:[T ][\d:.]+Z?)?$/
const PLAIN_NUMBER = /^[-+]?\d[\d._,]*(?:e[-+]?\d+)?[a-z%]{0,2}$/i
const DIGEST = /^(?:sha\d{1,3}|md5|blake\w+)[-:~]/i
/** `options.password` */
const MEMBER = /^!*[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+$/
/** `!!ready`: passwords that begin like this have a digit. */
const NEGATION = /^!+[A-Za-z_$][A-Za-z_$.]*$/
const CODE = /[()[\]{}]|=>|::|->|\\u|&&|\|\|/

/** Whether this value, beside a name of this kind, is a secret and neither a placeholder nor a piece of code. */
export function isSecretValue(value: string, kind: NameKind, writing: Writing): boolean {
  const { length } = value
  if (length < 4 || length > 8192 || isPlaceholder(value)) return false
  if (value.startsWith('[redacted') || VERSION.test(value) || CODEC.test(value) || PATTERN.test(value))
    return false
  if (writing !== 'quoted' && (NEGATION.test(value) || value.charCodeAt(0) === 61)) return false
  switch (kind) {
    case 'password':
      return (
        isPassword(value, writing) ||
        isFullOfSigns(value, writing) ||
        (writing !== 'bare' && isPassphrase(value))
      )
    case 'secret':
      if (length < 8 || DATE.test(value) || SMALL_HEX.test(value)) return false
      return (
        UUID.test(value) ||
        looksLikeAwsSecret(value) ||
        looksDrawn(value, 0.16, 2.5, writing) ||
        isFullOfSigns(value, writing) ||
        (writing !== 'bare' && (isChosenWithSign(value) || isPassphrase(value)))
      )
    case 'key':
      if (length < 16 || UUID.test(value)) return false
      if (HEX_ONLY.test(value) && length !== 32 && (writing !== 'config' || length % 8 !== 0)) return false
      return looksDrawn(value, 0.22, 3.2, writing)
    case 'vendor':
      return length >= 14 && (UUID.test(value) || looksDrawn(value, 0.18, 3, writing))
  }
}

/** No word and no quoted code has so many different characters. */
function isFullOfSigns(value: string, writing: Writing): boolean {
  if (writing !== 'quoted' || value.length < 12 || /[\s\\/]/.test(value)) return false
  return new Set(value.replace(/[\w.:,;'"`=+-]/g, '')).size >= 5 && /[A-Za-z]/.test(value)
}

/** Forty characters of Base64, in which slashes may make it look like a path. */
function looksLikeAwsSecret(value: string): boolean {
  return (
    /^[A-Za-z0-9/+=]{40}$/.test(value) && /\d/.test(value) && /[A-Z]/.test(value) && /[+=]|\/.*\//.test(value)
  )
}

/** Chosen by people: a digit or a special character is required, else every label of a form would match. */
function isPassword(value: string, writing: Writing): boolean {
  if (PLAIN_NUMBER.test(value)) return value.length >= 6 && writing !== 'bare'
  if (DATE.test(value) || PATH.test(value) || value.includes('://')) return false
  if (writing !== 'quoted' && (CODE.test(value) || MEMBER.test(value))) return false
  if (/\s/.test(value)) return writing === 'quoted' && isPhrase(value)
  if (/^[A-Za-z_$][A-Za-z_$-]*\d{0,2}$/.test(value)) {
    if (writing === 'bare') return isMixedUp(value)
    if (writing === 'config') return isChosen(value) || isMixedUp(value)
  }
  if (writing === 'line') return /^[\x21-\x7e]+$/.test(value)
  if (/[0-9]/.test(value)) return !/^[A-Za-z]+(?:[-_.][A-Za-z]+)+\d?$/.test(value)
  return /[!@#$%^&*+~?]/.test(value)
    ? /[A-Za-z]/.test(value)
    : restlessness(value) > 0.25 && value.length >= 8
}

/** `correct-horse-battery-staple`: four or more words that are probably no name. */
export function isPassphrase(value: string): boolean {
  return (
    /^[a-z]{3,12}(?:([-_. ])[a-z]{3,12})(?:\1[a-z]{3,12}){2,6}$/i.test(value) && !VARIABLE_WORD.test(value)
  )
}

/** `Winter-2031!`: letters, digits and a character that no name has. */
export function isChosenWithSign(value: string): boolean {
  if (value.length < 8 || value.length > 64 || !/^[A-Za-z0-9!#$%^&*?@~+/=_.-]+$/.test(value)) return false
  if (!/[A-Za-z]{3}/.test(value) && !/[A-Za-z]\d|\d[A-Za-z]/.test(value)) return false
  if (!/\d\d|\d\D+\d/.test(value) || !/[!#$%^*?@~]/.test(value)) return false
  return !/^[\w.+-]+@[\w-]+\.[\w.]+$|^@|@(?:latest|next|v?\d+(?:\.|$))|^[#$%!~^][\w-]*$|[#?]\w*=|%[0-9a-fA-F]{2}|^\$\w/.test(
    value,
  )
}

/** Words that occur in names of variables, not in passwords. */
const VARIABLE_WORD =
  /pass|pwd|secret|token|user|name|value|arg|param|string|hash|salt|cred|login|input|field/i

/** `Summer85`: a word and a number. */
function isChosen(value: string): boolean {
  return value.length >= 6 && /\d\d$|[A-Z].*\d$|\d.*[A-Z]/.test(value) && !VARIABLE_WORD.test(value)
}

/** Letters in a sequence that no word has. */
function isMixedUp(value: string): boolean {
  return value.length >= 8 && restlessness(value) > 0.25 && !isIdentifier(value) && !/[_-]/.test(value)
}

/** A few words that have a digit beside a letter and a special character; a sentence about passwords has not. */
function isPhrase(value: string): boolean {
  if (value.length > 32 || !/^\S+(?: \S+){1,3}$/.test(value)) return false
  return /[A-Za-z]\d|\d[A-Za-z]/.test(value) && /[!@#$%^&*?]/.test(value)
}

function looksDrawn(value: string, minRestlessness: number, minEntropy: number, writing: Writing): boolean {
  if (!/^[\x21-\x7e]+$/.test(value) || PLAIN_NUMBER.test(value) || PATH.test(value) || DIGEST.test(value))
    return false
  if (value.includes('://') || (value.includes('@') && /^[\w.+-]+@[\w-]+\.[\w.]+$/.test(value))) return false
  if (CODE.test(value) && (writing !== 'quoted' || /^\w+\(|[({[]$/.test(value))) return false
  if (RESOURCE.test(value) || isIdentifier(value)) return false
  const hasDigit = /\d/.test(value)
  if (!hasDigit && !isUnspeakable(value) && (value.length < 16 || restlessness(value) < 0.3)) return false
  if (writing !== 'quoted' && MEMBER.test(value) && restlessness(value) < 0.3) return false
  return (restlessness(value) >= minRestlessness || isUnspeakable(value)) && entropyOf(value) >= minEntropy
}

const WORDS = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g
const MOST_DIGIT_GROUPS = 2

/** `toUint8Array`, `AwsEc2QueryProtocol`: pronounceable words, with at most two numbers among them. */
function isIdentifier(value: string): boolean {
  if (!/^[A-Za-z_$][\w$]*$/.test(value) || !/[A-Z]/.test(value)) return false
  let digitGroups = 0
  let spoken = 0
  for (const [word] of value.matchAll(WORDS)) {
    if (/\d/.test(word)) digitGroups++
    else if (word.length >= 3 && /[aeiouy]/i.test(word) && !CONSONANTS.test(word)) spoken += word.length
  }
  return digitGroups <= MOST_DIGIT_GROUPS && spoken >= value.length * 0.55
}

const CONSONANTS =
  /[bcdfghjklmnpqrstvwxz]{5,}|[bcdfghjklmnpqrstvwxz]{2}[jqxz]|[jqxz][bcdfghjklmnpqrstvwxz]{2}|q[^u\W\d_]/i

/** No word has such a run of consonants. */
function isUnspeakable(value: string): boolean {
  return value.length >= 12 && CONSONANTS.test(value)
}
