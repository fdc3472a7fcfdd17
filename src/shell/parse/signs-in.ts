/** Any character but those of which plain words are made, and the space between them. */
export const MEANINGFUL = 1
/** Control characters, and everything that is not ASCII. */
export const UNUSUAL = 2
export const COLON = 4
export const BACKSLASH = 8
export const BRACE = 16
/** The bits above the kinds count the spaces. */
export const ONE_SPACE = 32

const SPACE = 32

const signs = new Uint8Array(128)
for (let code = 0; code < signs.length; code++) {
  const char = String.fromCharCode(code)
  if (!/[\w ./:=@%+,^-]/.test(char)) signs[code]! |= MEANINGFUL
  if (!/[\t\n -~]/.test(char)) signs[code]! |= UNUSUAL
}
signs[':'.charCodeAt(0)]! |= COLON
signs['\\'.charCodeAt(0)]! |= BACKSLASH
signs['{'.charCodeAt(0)]! |= BRACE

/**
 * Which kinds of characters a text has, and how many spaces, in one number. One pass over the characters takes a
 * fraction of the time of several searches.
 */
export function signsIn(text: string): number {
  let found = 0
  let spaces = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    found |= code < 128 ? signs[code]! : MEANINGFUL | UNUSUAL
    if (code === SPACE) spaces++
  }
  return spaces * ONE_SPACE + found
}
