/**
 * Comments that start with `//`, and those between slash-stars, become spaces. Everything else keeps its position, so
 * positions are the same in both texts. Text in double quotes is not changed.
 */
export function blankComments(text: string): string {
  return text.replaceAll(STRING_OR_COMMENT, (found) =>
    found.startsWith('/') ? found.replaceAll(/[^\n\r]/g, ' ') : found,
  )
}

const STRING_OR_COMMENT = /"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g
