import { createTurns } from '../async/create-turns.js'

const PART_CHARS = 512 * 1024

/** The bytes of a text in UTF-8. A long text is encoded in parts, with other work between them. */
export async function encodeInTurns(text: string): Promise<Buffer> {
  if (text.length <= PART_CHARS) return Buffer.from(text)
  const turns = createTurns()
  const parts: Buffer[] = []
  for (let from = 0; from < text.length;) {
    const to = endOfPart(text, from + PART_CHARS)
    parts.push(Buffer.from(text.slice(from, to)))
    from = to
    await turns.due()
  }
  return Buffer.concat(parts)
}

/** Never between the halves of a surrogate pair: each would be encoded as a replacement character. */
function endOfPart(text: string, wanted: number): number {
  const code = text.charCodeAt(wanted - 1)
  return code >= 0xd800 && code <= 0xdbff ? wanted + 1 : wanted
}
