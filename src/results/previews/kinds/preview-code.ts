import type { PreviewKind } from '../preview-body.js'
import { type KnownLine, knownLines } from './known-lines.js'
import { lineLimit } from './line-limit.js'
import { pickLines } from './pick-lines.js'

const HEAD_SHARE = 0.4

// Declarations, in the languages that agents mostly read.
const declaration =
  /^\s*(?:(?:export|default|public|private|protected|internal|static|final|abstract|async|override|pub(?:\([^)]*\))?|unsafe|extern|inline|virtual|open|sealed|data|partial|declare)\s+)*(?:function\*?|class|interface|type|enum|namespace|module|struct|trait|impl|fn|def|func|fun|object|record|macro_rules!|CREATE\s+(?:TABLE|VIEW|FUNCTION|INDEX))\b[^;]*|^(?:export\s+)?(?:const|let|var)\s+\w+\s*=\s*(?:async\s*)?(?:\(|function|\w+\s*=>)|^[A-Za-z_][\w:<>*&, ]{0,60}[ *]\w{1,60}\([^;]*\)\s*\{?\s*$/

/** The beginning, then the lines with declarations, each with its number: an outline of the rest. */
export const previewCode: PreviewKind = (sample) => {
  const lines = knownLines(sample)
  const declared: number[] = []
  for (const [index, { text }] of lines.entries()) {
    if (text.length < 400 && declaration.test(text)) declared.push(index)
  }
  // Less indented declarations are more important.
  const outer = declared.filter((index) => !/^\s/.test(lines[index]!.text))
  return (room) =>
    pickLines(sample, room, {
      lines,
      order: order(lines, { headChars: room.chars * HEAD_SHARE, outline: [...outer, ...declared] }),
      maxLineChars: lineLimit(room),
      isNumbered: true,
      isTerse: true,
      mayMiss: 0,
    })
}

function* order(
  lines: readonly KnownLine[],
  { headChars, outline }: { headChars: number; outline: readonly number[] },
): Generator<number> {
  let index = 0
  for (let chars = 0; index < lines.length && chars < headChars; index++) {
    chars += lines[index]!.text.length + 1
    yield index
  }
  yield* outline
  for (; index < lines.length; index++) yield index
}
