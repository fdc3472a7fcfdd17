import type { ContentBlock } from '../../contract/objects/tool-result.js'
import { compileMask } from '../../redaction/mask-fields.js'
import type { DraftOutput } from '../../catalog/tool-draft.js'
import { toolOutput, type ToolOutput } from '../../catalog/tool-output.js'
import { mapOutput, type MappedOutput } from '../../results/map-output.js'
import { mediaBlock } from '../../results/media-block.js'
import type { DrainedStream } from '../../results/payloads/drain-stream.js'
import { isJsonType } from '../../results/payloads/media-type.js'
import { outputRef } from '../../results/payloads/payload-record.js'
import type { DrainedOutput } from '../execute/stream-output.js'

/** Throws where an artifact is said to be a version of one that is not there. */
export function mapDrained(drained: DrainedOutput, draft: DraftOutput, invocationId: string): MappedOutput {
  const { artifacts } = drained
  if (!artifacts) return mapOutputOf(drained, draft, invocationId)
  const refused = artifacts.find(({ refusal }) => refusal !== undefined)
  if (refused) throw new Error(refused.refusal)
  const mapped = mapOutputOf(drained, draft, invocationId)
  // Whoever delivers something has not returned nothing.
  return mapped.isEmpty ? { ...mapped, isEmpty: false, modelFacing: [], summary: undefined } : mapped
}

/** Whether all that an output schema speaks of went by in a stream that was too long to be held. */
export function isUncheckable({ stream, said }: DrainedOutput): boolean {
  return stream !== undefined && !stream.bytes && said?.structured === undefined
}

/** What was a stream and is small is mapped as if it had been returned whole; of the rest there is a ref. */
function mapOutputOf(
  { stream, said }: DrainedOutput,
  draft: DraftOutput,
  invocationId: string,
): MappedOutput {
  const { stream: _, artifacts: __, ...rest } = said ?? {}
  if (!stream) return mapOutput(toolOutput(rest), draft)
  if (!stream.bytes) return mapOutput(withFirst(refBlock(stream, invocationId), rest), draft)
  const { bytes } = stream
  if (!stream.isText)
    return mapOutput(withFirst(mediaBlock(bytes, stream.mediaType, stream.name), rest), draft)
  const text = bytes.toString('utf8')
  const value = jsonIn(text, stream)
  if (!said) return mapOutput(value ?? text, draft)
  if (text === '') return mapOutput(toolOutput(rest), draft)
  if (value === undefined || typeof value === 'string')
    return mapOutput(withFirst({ type: 'text', text: value ?? text }, rest), draft)
  if (said.structured === undefined && !said.content?.length)
    return mapOutput(toolOutput({ ...rest, structured: value }), draft)
  // What is masked in the value is masked in its text, however short it is.
  const { sensitiveFields } = draft
  const shown = sensitiveFields ? JSON.stringify(compileMask(sensitiveFields)!(value)) : text
  const structured = said.structured === undefined ? value : said.structured
  return mapOutput(withFirst({ type: 'text', text: shown }, { ...rest, structured }), draft)
}

/** The stream first, then what the tool said beside it. */
function withFirst(block: ContentBlock, said: ToolOutput): ToolOutput {
  return toolOutput({ ...said, content: [block, ...(said.content ?? [])] })
}

function refBlock(
  { mediaType, written, name, sizeBytes }: DrainedStream,
  invocationId: string,
): ContentBlock {
  return {
    type: 'persisted_output_ref',
    uri: outputRef(invocationId),
    media_type: mediaType,
    size_bytes: sizeBytes,
    ...(written && { digest: written.stat.digest }),
    ...(name !== undefined && { name }),
  }
}

/** Nothing where it is no JSON. */
export function jsonIn(text: string, { mediaType }: Pick<DrainedStream, 'mediaType'>): unknown {
  if (!isJsonType(mediaType)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
