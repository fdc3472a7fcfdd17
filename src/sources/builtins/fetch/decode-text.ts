/** As much as a browser looks at for a declaration in the text. */
const DECLARED_WITHIN = 1024
/** Bytes that are looked at to see whether a text without a declaration is UTF-8. */
const SAMPLE_BYTES = 64 * 1024

export interface TextBody {
  readonly body: Buffer | AsyncIterable<Buffer>
  readonly contentType: string
  /** Whether the text itself may declare its charset, as HTML and XML do. */
  readonly isMarkup: boolean
}

/**
 * The text of a body. The charset is that of the byte order mark, of the header, or the one that markup declares;
 * otherwise UTF-8, or windows-1252 where the bytes are not UTF-8. Bytes that the charset does not have become U+FFFD.
 */
export async function* decodeText({ body, contentType, isMarkup }: TextBody): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined
  let start: Buffer[] = []
  let bytes = 0
  const open = (isWhole: boolean): string => {
    const first = Buffer.concat(start)
    start = []
    decoder = new TextDecoder(charsetOf(first, { contentType, isMarkup, isWhole }))
    return decoder.decode(first, { stream: true })
  }
  for await (const chunk of Buffer.isBuffer(body) ? [body] : body) {
    if (decoder) {
      yield decoder.decode(chunk, { stream: true })
      continue
    }
    start.push(chunk)
    bytes += chunk.length
    if (bytes >= SAMPLE_BYTES) yield open(false)
  }
  if (!decoder) yield open(true)
  yield decoder!.decode()
}

function charsetOf(
  start: Buffer,
  { contentType, isMarkup, isWhole }: Omit<TextBody, 'body'> & { isWhole: boolean },
): string {
  const mark = byteOrderMark(start)
  if (mark !== undefined) return mark
  const given = known(/charset\s*=\s*["']?([^\s"';,]+)/i.exec(contentType)?.[1])
  if (given !== undefined) return given
  const declared = isMarkup ? declaredIn(start.toString('latin1', 0, DECLARED_WITHIN)) : undefined
  return declared ?? (isUtf8(start, isWhole) ? 'utf-8' : 'windows-1252')
}

function byteOrderMark([first, second, third]: Buffer): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return first === 0xff && second === 0xfe ? 'utf-16le' : undefined
}

function declaredIn(text: string): string | undefined {
  const name = known(
    /<meta\s[^>]*?charset\s*=\s*["']?\s*([\w:.-]+)/i.exec(text)?.[1] ??
      /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([\w:.-]+)/i.exec(text)?.[1],
  )
  // A declaration that can be read as ASCII is not in UTF-16.
  return name?.startsWith('utf-16') ? 'utf-8' : name
}

/** The name in its one spelling; undefined for a charset that nobody knows. */
function known(label: string | undefined): string | undefined {
  if (label === undefined) return undefined
  try {
    return new TextDecoder(label).encoding
  } catch {
    return undefined
  }
}

/** A character that is cut off at the end of a part is no mistake. */
function isUtf8(bytes: Buffer, isWhole: boolean): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !isWhole })
    return true
  } catch {
    return false
  }
}
