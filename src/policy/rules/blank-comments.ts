/**
 * Comments that start with `//`, and those between slash-stars, become spaces. Everything else keeps its place, so that
 * a position in the one text is a position in the other. Text in double quotes is left alone.
 */
export function blankComments(text: string): string {
  return text.replaceAll(STRING_OR_COMMENT, (found) =>
    found.startsWith('/') ? found.replaceAll(/[^\n\r]/g, ' ') : found,
  )
}

const STRING_OR_COMMENT = /"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g
