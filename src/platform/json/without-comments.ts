// Strings come first: what looks like a comment inside of one is part of it.
const PIECE = /("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\/|,(?=(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*[}\]])/g

/** JSON as editors let people write it, without comments and last commas. Blanks in their place: whatever is left keeps its line and column. */
export function withoutComments(text: string): string {
  return text
    .replace(/^\uFEFF/, '')
    .replaceAll(
      PIECE,
      (piece: string, string: string | undefined) => string ?? piece.replaceAll(/[^\r\n]/g, ' '),
    )
}
