import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { isTooDeep, MAX_LEVELS } from '../../../platform/json/too-deep.js'
import { discardBody } from '../../server/discard-body.js'
import { badRequest, Problem } from '../problem.js'

/** The JSON body of a request. Throws a `Problem`. */
export async function readJsonBody(request: IncomingMessage, maxBytes: number): Promise<unknown> {
  const type = request.headers['content-type'] ?? ''
  if (!/^application\/json\s*(?:;|$)/i.test(type))
    throw new Problem(
      415,
      'invalid_arguments',
      'Send the body as JSON, with "content-type: application/json".',
    )
  const { 'content-encoding': encoding = 'identity' } = request.headers
  if (encoding.toLowerCase() !== 'identity')
    throw new Problem(
      415,
      'invalid_arguments',
      'Send the body as it is, without a content-encoding: it is not decompressed here.',
    )
  const read = await readBytes(request, maxBytes)
  if ('refused' in read) {
    if (read.refused === 'broken') throw badRequest('The body ended before it was complete.')
    discardBody(request)
    throw new Problem(
      413,
      'invalid_arguments',
      `The body is larger than ${maxBytes} bytes; send less at once.`,
    )
  }
  const value = parse(read.bytes)
  if (isTooDeep(value)) throw badRequest(`The body is nested deeper than ${MAX_LEVELS} levels.`)
  return value
}

function parse(bytes: Buffer): unknown {
  // Decoding invalid UTF-8 would give another text than was sent.
  if (!isUtf8(bytes)) throw badRequest('The body is not valid UTF-8.')
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown
  } catch {
    throw badRequest('The body is not valid JSON.')
  }
}

type ReadBytes = { readonly bytes: Buffer } | { readonly refused: 'too_large' | 'broken' }

/** The body of a request, with at most `maxBytes` of it in memory. */
function readBytes(request: IncomingMessage, maxBytes: number): Promise<ReadBytes> {
  if (Number(request.headers['content-length']) > maxBytes) return Promise.resolve({ refused: 'too_large' })
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    const onData = (chunk: Buffer): void => {
      size += chunk.length
      if (size > maxBytes) finish({ refused: 'too_large' })
      else chunks.push(chunk)
    }
    const onEnd = (): void => finish({ bytes: Buffer.concat(chunks) })
    const onBroken = (): void => finish({ refused: 'broken' })
    const finish = (read: ReadBytes): void => {
      request.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken)
      resolve(read)
    }
    request.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken)
  })
}
