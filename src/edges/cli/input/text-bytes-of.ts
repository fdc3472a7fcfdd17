import { usageProblem } from '../program/usage-problem.js'

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]

/** Passes on the bytes of a source. Refuses UTF-16, by its first two bytes: no secret would be found in it. */
export async function* textBytesOf(source: AsyncIterable<unknown>, name: string): AsyncGenerator<Buffer> {
  let head: Buffer | undefined = Buffer.alloc(0)
  for await (const chunk of source) {
    if (head === undefined) {
      yield chunk as Buffer
      continue
    }
    head = Buffer.concat([head, chunk as Buffer])
    if (head.length < BYTE_ORDER_MARK.length) continue
    refuseUtf16(head, name)
    yield head
    head = undefined
  }
  if (head !== undefined && head.length > 0) {
    refuseUtf16(head, name)
    yield head
  }
}

function refuseUtf16(head: Buffer, name: string): void {
  const isUtf16 = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)
  if (isUtf16)
    throw usageProblem(
      `${name} is UTF-16; convert it first: iconv -f UTF-16 -t UTF-8 < file | toolcrib redact.`,
    )
}

/** Removes the byte order mark of UTF-8. */
export function withoutByteOrderMark(line: string): string {
  return line.startsWith('\ufeff') ? line.slice(1) : line
}
