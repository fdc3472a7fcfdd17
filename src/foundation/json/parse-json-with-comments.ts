/** JSON as editors let people write it: with comments, and commas before a closing bracket. Undefined where it is none. */
export function parseJsonWithComments(text: string): unknown {
  try {
    return JSON.parse(withoutComments(text))
  } catch {
    return undefined
  }
}

/** Whether the text has something that writing it back as JSON would lose. */
export function hasComments(text: string): boolean {
  return withoutComments(text).trim() !== text.replace(/^\uFEFF/, '').trim()
}

// Strings come first: what looks like a comment inside of one is part of it.
const PIECE = /("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\/|,(?=(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*[}\]])/g

/** Blanks in their place: whatever is left keeps its line and column. */
export function withoutComments(text: string): string {
  return text
    .replace(/^\uFEFF/, '')
    .replaceAll(
      PIECE,
      (piece: string, string: string | undefined) => string ?? piece.replaceAll(/[^\r\n]/g, ' '),
    )
}
