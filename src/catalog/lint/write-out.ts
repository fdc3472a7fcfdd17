import { truncateAfter } from '../../platform/text/truncate.js'

const MAX_CHARS = 80

/** Quotes foreign text in a message: short, with hidden characters escaped. */
export function writeOut(text: string): string {
  const cut = truncateAfter(text, MAX_CHARS)
  return cut.replaceAll(
    /\p{C}|\u2028|\u2029|\u2800|\p{Variation_Selector}|\p{Default_Ignorable_Code_Point}/gu,
    (sign) => `\\u{${sign.codePointAt(0)!.toString(16)}}`,
  )
}
