import { truncateAfter } from './truncate.js'

/** Whole sequences that control a terminal: the rest of one without its ESC would be read as words. */
const SEQUENCES =
  // oxlint-disable-next-line no-control-regex
  /(?:\u001B\[|\u009B)[0-?]*[ -/]*[@-~]?|(?:\u001B[\]PX^_]|[\u0090\u0098\u009D-\u009F])[^\u0007\u001B\u009C]*(?:\u0007|\u001B\\|\u009C)?|\u001B[ -/]*[0-~]?/g

/** Scripts whose letters a joiner or a non-joiner shapes. */
const JOINING =
  '\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}\\p{Script=Gujarati}\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}\\p{Script=Khmer}\\p{Script=Mongolian}'

const SELECTOR = '[\\uFE00-\\uFE0F]'

/**
 * Characters that are invisible, or that change what is shown: controls, directions, fillers, tags, annotations, halves
 * of pairs, and unassigned or private code points. Line breaks, tabs, and joiners or selectors that an emoji or a
 * script needs are excluded.
 */
const HIDDEN = new RegExp(
  [
    '[\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F\\u00AD\\u034F\\u061C\\u115F\\u1160\\u17B4\\u17B5\\u180E\\u200B\\u200E\\u200F\\u2028-\\u202E\\u2060-\\u206F\\u3164\\uE000-\\uF8FF\\uFEFF\\uFFA0\\uFFF0-\\uFFFB\\p{Cs}\\u{1BCA0}-\\u{1BCA3}\\u{1D173}-\\u{1D17A}\\u{E0000}-\\u{E0FFF}\\u{F0000}-\\u{10FFFF}]',
    '\\r(?!\\n)',
    '(?<!\\p{Script=Mongolian})[\\u180B-\\u180D\\u180F]',
    `(?<![${JOINING}])\\u200C|\\u200C(?![${JOINING}])`,
    `(?<!\\p{Extended_Pictographic}\\uFE0F?|[\\u{1F3FB}-\\u{1F3FF}${JOINING}])\\u200D|\\u200D(?![\\p{Extended_Pictographic}${JOINING}])`,
    `(?<=${SELECTOR})${SELECTOR}`,
  ].join('|'),
  'gu',
)

/** A quick test before the closer look: nearly no text has any of these. */
const SUSPECT =
  // oxlint-disable-next-line no-control-regex
  /[^\t\n -~\u00A0-\u00AC\u00AE-\u033F\u0370-\u060F\u3000-\u3163\u3165-\uD7AF]/

/** A long text is scanned in pieces, and a very long one not to its end. */
const MAX_COUNTED = 200_000

/** Text of others for one line: without hidden or controlling characters. */
export function cleanLine(text: string, maxChars = 1_000): string {
  return truncateAfter(
    cleanText(text)
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/[\u200C\u200D]/g, '')
      .trim(),
    maxChars,
  )
}

/** The same for a text of several lines; returns the same string where nothing is hidden in it. */
export function cleanText(text: string, maxChars = Infinity): string {
  return truncateAfter(
    SUSPECT.test(text) ? text.replaceAll(SEQUENCES, '').replaceAll(HIDDEN, '') : text,
    maxChars,
  )
}

/** The number of hidden or controlling characters in a text; of a very long one, in its beginning. */
export function countHidden(text: string): number {
  const looked = text.length > MAX_COUNTED ? text.slice(0, MAX_COUNTED) : text
  if (!SUSPECT.test(looked)) return 0
  let count = 0
  for (const _ of looked.matchAll(HIDDEN)) count++
  return count
}
