import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'

export type Body = { readonly value: unknown } | { readonly refused: 'too_large' | 'not_json' | 'broken' }

/** The parsed body, once; never more than `maxBytes` of it in memory. */
export function readBody(request: IncomingMessage, maxBytes: number, done: (body: Body) => void): void {
  if (Number(request.headers['content-length']) > maxBytes) return done({ refused: 'too_large' })
  const chunks: Buffer[] = []
  let size = 0
  const onData = (chunk: Buffer) => {
    size += chunk.length
    if (size > maxBytes) return finish({ refused: 'too_large' })
    chunks.push(chunk)
  }
  const onEnd = () => finish(parse(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)))
  const onBroken = () => finish({ refused: 'broken' })
  const finish = (body: Body) => {
    request.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken)
    chunks.length = 0
    done(body)
  }
  request.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken)
}

function parse(bytes: Buffer): Body {
  // What is no text would be read as another text than was sent.
  if (!isUtf8(bytes)) return { refused: 'not_json' }
  try {
    return { value: JSON.parse(bytes.toString('utf8')) as unknown }
  } catch {
    return { refused: 'not_json' }
  }
}
