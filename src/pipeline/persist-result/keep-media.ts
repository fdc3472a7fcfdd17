import { hasMedia, isHeavy } from './has-media.js'
import type { ContentBlock, ToolResult } from '../../contract/objects/tool-result.js'
import { blockRef, toPayloadRef } from '../../results/payloads/payload-record.js'
import type { KeepContext } from './keep-output.js'
import { whyNotKept } from './why-not-kept.js'

/** A picture for the model is given whole up to this; what is larger is given by reference as well. */
const MAX_GIVEN_CHARS = 8 * 1024 * 1024

/** What the caller gets, and what the log keeps: there, pictures, sounds and files are refs to their bytes. */
export interface SlimResult {
  given: ToolResult
  kept: ToolResult
  /** Why the bytes of some of them are nowhere but with the caller. */
  problem?: string
}

export async function keepMedia(result: ToolResult, place: KeepContext): Promise<SlimResult> {
  const { content = [], model_facing_content: forModel = content } = result
  if (!place.mayKeep || !hasMedia(result, Infinity)) return { given: result, kept: result }
  /** Where the bytes are, and how many: blocks may share them and still say different things. */
  const places = new Map<string, BytesPlace>()
  let problem: string | undefined
  for (const [index, block] of [...content, ...forModel].entries()) {
    if (!isHeavy(block) || places.has(block.data!)) continue
    try {
      places.set(block.data!, await keepBlock(block, index, place))
    } catch (error) {
      problem = whyNotKept(error, place.run)
      // That it was there, and how large: its bytes go to the caller and nowhere else.
      places.set(block.data!, { size_bytes: Buffer.byteLength(block.data!, 'base64') })
    }
  }
  const slimOf = (block: ContentBlock): ContentBlock => withPlace(block, places.get(block.data!)!)
  const slim = (blocks: ContentBlock[]): ContentBlock[] =>
    blocks.map((block) => (isHeavy(block) ? slimOf(block) : block))
  const kept: ToolResult = { ...result, content: slim(content), model_facing_content: slim(forModel) }
  const whole = (blocks: ContentBlock[]): ContentBlock[] =>
    blocks.map((block) => {
      if (!isHeavy(block)) return block
      const { data } = block
      return data!.length <= MAX_GIVEN_CHARS ? { ...slimOf(block), data: data! } : slimOf(block)
    })
  // What came by a protocol is handed on by it: its content is what the caller reads.
  const isNative = result.toolcrib?.['native'] !== undefined
  return {
    kept,
    given: {
      ...kept,
      ...(isNative && { content: whole(content) }),
      model_facing_content: whole(forModel),
    },
    ...(problem !== undefined && { problem }),
  }
}

type BytesPlace = Pick<ContentBlock, 'uri' | 'size_bytes' | 'digest' | 'ref'>

/** What the block says of itself, and what is known of its bytes. */
function withPlace(block: ContentBlock, at: BytesPlace): ContentBlock {
  const { data: _, ...rest } = block
  const { media_type = at.ref?.media_type, name, uri = at.uri } = rest
  const own = { ...(media_type !== undefined && { media_type }), ...(name !== undefined && { name }) }
  return {
    ...rest,
    ...at,
    ...(uri !== undefined && { uri }),
    ...(at.ref && { ref: { ...at.ref, ...own } }),
  }
}

async function keepBlock(
  block: ContentBlock,
  index: number,
  { call, run, patience }: KeepContext,
): Promise<BytesPlace> {
  const about = {
    tenant: run.row.tenant,
    uri: blockRef(call.invocationId, index),
    class: 'block' as const,
    mediaType: block.media_type ?? 'application/octet-stream',
    redactionState: block.redaction_state ?? 'none',
    invocationId: call.invocationId,
    name: block.name,
  }
  const bytes = Buffer.from(block.data!, 'base64')
  const record = await patience.within((signal) => run.ports.payloads.keep(bytes, about, signal))
  const { uri, size_bytes, digest } = record
  return { uri, size_bytes, digest, ref: toPayloadRef(record, 'content_block') }
}
