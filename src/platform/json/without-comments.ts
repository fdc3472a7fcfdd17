// Strings first: text inside a string that looks like a comment is part of the string.
const PIECE = /("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\/|,(?=(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*[}\]])/g

/**
 * JSON with the comments and trailing commas that editors allow replaced by blanks, so that the rest keeps its line and
 * column.
 */
export function withoutComments(text: string): string {
  return text
    .replace(/^\uFEFF/, '')
    .replaceAll(
      PIECE,
      (piece: string, string: string | undefined) => string ?? piece.replaceAll(/[^\r\n]/g, ' '),
    )
}
