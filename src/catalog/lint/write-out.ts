const MAX_CHARS = 80

/** A piece of somebody else's text for a sentence of ours: short, and with what hides written out. */
export function writeOut(text: string): string {
  const cut = text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text
  return cut.replaceAll(
    /\p{C}|\u2028|\u2029|\u2800|\p{Variation_Selector}|\p{Default_Ignorable_Code_Point}/gu,
    (sign) => `\\u{${sign.codePointAt(0)!.toString(16)}}`,
  )
}
