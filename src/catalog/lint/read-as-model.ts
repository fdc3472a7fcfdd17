import { Buffer } from 'node:buffer'
import { letterLike } from './name-skeleton.js'

const MAX_CHARS = 100_000

/**
 * A text as a model reads it: look-alike letters are replaced by the letters they imitate; hidden characters are
 * removed or, where they spell a text, that text is appended.
 */
export function readAsModel(text: string): string {
  const cut = text.slice(0, MAX_CHARS)
  const spelled = [fromTags(cut), ...fromBase64(cut)].filter((each) => each !== '')
  const plain = cut
    // oxlint-disable-next-line no-control-regex
    .replaceAll(/\u001B\[[\d;]*[A-Za-z]/g, ' ')
    .normalize('NFKC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replaceAll(/[\p{L}\p{M}]+/gu, unmasked)
  return [plain, ...spelled].join('\n')
}

/** Text in tag characters, which are not displayed. */
function fromTags(text: string): string {
  return [...text.matchAll(/[\u{E0020}-\u{E007E}]/gu)]
    .map(([sign]) => String.fromCodePoint(sign.codePointAt(0)! - 0xe_00_00))
    .join('')
}

const BASE64 = /[A-Za-z0-9+/_-]{32,}={0,2}/g

/** Sentences in Base64. Anything else in Base64 is an image, a key or an example. */
export function fromBase64(text: string): string[] {
  return [...text.matchAll(BASE64)]
    .map(([blob]) => Buffer.from(blob, 'base64').toString('latin1'))
    .filter(
      (decoded) => /^[\x20-\x7e\s]+$/.test(decoded) && /[a-z]{2,} [a-z]{2,} [a-z~./]{2,}/i.test(decoded),
    )
}

/** Only within words that are otherwise Latin: words in other scripts are legitimate. */
function unmasked(word: string): string {
  if (
    !/\p{Script=Latin}/u.test(word) ||
    !/[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}]/u.test(word)
  )
    return word
  return [...word].map((sign) => letterLike(sign)).join('')
}
