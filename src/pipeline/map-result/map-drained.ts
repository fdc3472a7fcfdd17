import type { ContentBlock } from '../../contract/objects/tool-result.js'
import { compileMask } from '../../redaction/mask-fields.js'
import type { DraftOutput } from '../../catalog/tool-draft.js'
import { toolOutput, type ToolOutput } from '../../catalog/tool-output.js'
import { mapOutput, type MappedOutput } from '../../results/map-output.js'
import { mediaBlock } from '../../results/media-block.js'
import type { DrainedStream } from '../../results/payloads/drain-stream.js'
import { isJsonType } from '../../results/payloads/media-type.js'
import { outputRef } from '../../results/payloads/payload-record.js'
import type { DrainedOutput } from '../execute/drained-output.js'
import { parseJson } from '../../platform/json/parse-json.js'

/** Throws if an artifact names a version of an artifact that does not exist. */
export function mapDrained(drained: DrainedOutput, draft: DraftOutput, invocationId: string): MappedOutput {
  const { artifacts } = drained
  if (!artifacts) return mapOutputOf(drained, draft, invocationId)
  const refused = artifacts.find(({ refusal }) => refusal !== undefined)
  if (refused) throw new Error(refused.refusal)
  const mapped = mapOutputOf(drained, draft, invocationId)
  // An output with artifacts is not empty.
  return mapped.isEmpty ? { ...mapped, isEmpty: false, modelFacing: [], summary: undefined } : mapped
}

/** Whether the output schema cannot be checked, because all of its data was in a stream too long to hold. */
export function isUncheckable({ stream, returned }: DrainedOutput): boolean {
  return stream !== undefined && !stream.bytes && returned?.structured === undefined
}

/** A small stream is mapped as if it had been returned whole; a large one becomes a ref. */
function mapOutputOf(
  { stream, returned }: DrainedOutput,
  draft: DraftOutput,
  invocationId: string,
): MappedOutput {
  const { stream: _, artifacts: __, ...rest } = returned ?? {}
  if (!stream) return mapOutput(toolOutput(rest), draft)
  if (!stream.bytes) return mapOutput(withFirst(refBlock(stream, invocationId), rest), draft)
  const { bytes } = stream
  if (!stream.isText)
    return mapOutput(withFirst(mediaBlock(bytes, stream.mediaType, stream.name), rest), draft)
  const text = bytes.toString('utf8')
  const value = jsonIn(text, stream)
  if (!returned) return mapOutput(value ?? text, draft)
  if (text === '') return mapOutput(toolOutput(rest), draft)
  if (value === undefined || typeof value === 'string')
    return mapOutput(withFirst({ type: 'text', text: value ?? text }, rest), draft)
  if (returned.structured === undefined && !returned.content?.length)
    return mapOutput(toolOutput({ ...rest, structured: value }), draft)
  // A value that is masked in the data is masked in its text, however short it is.
  const { sensitiveFields } = draft
  const shown = sensitiveFields ? JSON.stringify(compileMask(sensitiveFields)!(value)) : text
  const structured = returned.structured === undefined ? value : returned.structured
  return mapOutput(withFirst({ type: 'text', text: shown }, { ...rest, structured }), draft)
}

/** The stream first, then the tool's other content. */
function withFirst(block: ContentBlock, returned: ToolOutput): ToolOutput {
  return toolOutput({ ...returned, content: [block, ...(returned.content ?? [])] })
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

/** Undefined if it is not JSON. */
export function jsonIn(text: string, { mediaType }: Pick<DrainedStream, 'mediaType'>): unknown {
  return isJsonType(mediaType) ? parseJson(text) : undefined
}
