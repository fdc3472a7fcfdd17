import { hasMedia, isHeavy } from './size-policy.js'
import type { ContentBlock, ToolResult } from '../../contract/objects/tool-result.js'
import { blockRef, toPayloadRef } from '../../results/payloads/payload-record.js'
import type { StoreContext } from './store-output.js'
import { storageProblem } from './storage-problem.js'

/** The model gets a picture inline up to this size; a larger one only by reference. */
const MAX_GIVEN_CHARS = 8 * 1024 * 1024

/** The result for the caller, and the one for the log: there, pictures, sounds and files are refs to their bytes. */
export interface SlimResult {
  given: ToolResult
  kept: ToolResult
  /** Why some bytes were not stored: only the caller has them. */
  problem?: string
}

export async function storeMedia(result: ToolResult, context: StoreContext): Promise<SlimResult> {
  const { content = [], model_facing_content: forModel = content } = result
  if (!context.mayKeep || !hasMedia(result, Infinity)) return { given: result, kept: result }
  /** Location and size of the bytes: blocks may share bytes and differ otherwise. */
  const stored = new Map<string, StoredBytes>()
  let problem: string | undefined
  for (const [index, block] of [...content, ...forModel].entries()) {
    if (!isHeavy(block) || stored.has(block.data!)) continue
    try {
      stored.set(block.data!, await storeBlock(block, index, context))
    } catch (error) {
      problem = storageProblem(error, context.run)
      // Only the size is recorded: the bytes go only to the caller.
      stored.set(block.data!, { size_bytes: Buffer.byteLength(block.data!, 'base64') })
    }
  }
  const slimOf = (block: ContentBlock): ContentBlock => withStoredBytes(block, stored.get(block.data!)!)
  const slim = (blocks: ContentBlock[]): ContentBlock[] =>
    blocks.map((block) => (isHeavy(block) ? slimOf(block) : block))
  const kept: ToolResult = { ...result, content: slim(content), model_facing_content: slim(forModel) }
  const whole = (blocks: ContentBlock[]): ContentBlock[] =>
    blocks.map((block) => {
      if (!isHeavy(block)) return block
      const { data } = block
      return data!.length <= MAX_GIVEN_CHARS ? { ...slimOf(block), data: data! } : slimOf(block)
    })
  // A client that uses the tool's own protocol reads `content`.
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

type StoredBytes = Pick<ContentBlock, 'uri' | 'size_bytes' | 'digest' | 'ref'>

/** The block's own fields, and the location of its bytes. */
function withStoredBytes(block: ContentBlock, at: StoredBytes): ContentBlock {
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

async function storeBlock(
  block: ContentBlock,
  index: number,
  { call, run, timeLimit }: StoreContext,
): Promise<StoredBytes> {
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
  const record = await timeLimit.within((signal) => run.ports.payloads.keep(bytes, about, signal))
  const { uri, size_bytes, digest } = record
  return { uri, size_bytes, digest, ref: toPayloadRef(record, 'content_block') }
}
