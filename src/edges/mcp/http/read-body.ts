import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { scanWhereLarge, type ShapeScan } from '../../../sources/mcp/protocol/create-shape-scan.js'
import type { JsonRpcId } from '../../../sources/mcp/protocol/json-rpc.js'
import type { ShapeLimits, ShapeProblem } from '../../../sources/mcp/protocol/shape-limits.js'

export type Body =
  | { readonly value: unknown }
  | { readonly refused: 'too_large' | 'not_json' | 'broken' }
  /** Short enough, but with too many values or levels. */
  | { readonly refused: 'shape'; readonly problem: ShapeProblem; readonly id: JsonRpcId | undefined }

/** Reads and parses the body, with at most `limits.maxBytes` of it in memory. */
export function readBody(request: IncomingMessage, limits: ShapeLimits, done: (body: Body) => void): void {
  const { maxBytes } = limits
  if (Number(request.headers['content-length']) > maxBytes) return done({ refused: 'too_large' })
  const chunks: Buffer[] = []
  let size = 0
  let scan: ShapeScan | undefined
  const onData = (chunk: Buffer) => {
    size += chunk.length
    if (size > maxBytes) return finish({ refused: 'too_large' })
    scan = scanWhereLarge(scan, { chunk, parts: chunks, bytes: size, limits })
    if (scan?.problem === undefined) chunks.push(chunk)
    else chunks.length = 0
  }
  const onEnd = () =>
    scan?.problem === undefined
      ? finish(read())
      : finish({ refused: 'shape', problem: scan.problem, id: scan.hasMethod ? scan.id : undefined })
  const read = () => parse(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks))
  const onBroken = () => finish({ refused: 'broken' })
  const finish = (body: Body) => {
    request.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken)
    chunks.length = 0
    done(body)
  }
  request.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken)
}

function parse(bytes: Buffer): Body {
  // Decoding invalid UTF-8 would give another text than was sent.
  if (!isUtf8(bytes)) return { refused: 'not_json' }
  try {
    return { value: JSON.parse(bytes.toString('utf8')) as unknown }
  } catch {
    return { refused: 'not_json' }
  }
}
