import type { ContentBlock, PayloadRef, ToolResult } from '../contract/objects/tool-result.js'
import { headOf } from './previews/cuts/safe-cut.js'

const SUMMARY_CHARS = 200
const SEARCH_CHARS = 2000

/** The replacement for an output of which the result holds only a part. */
export interface OutputReplacement {
  /** The text for the model. */
  preview: string
  /** The ref of the stored whole; absent where it is not stored. */
  ref: PayloadRef | undefined
  /** The tool's own content for the model, where it is short enough. */
  forModel?: readonly ContentBlock[] | undefined
  /** The part of the output that stays in the result. */
  beside?: OutputBeside | undefined
}

/** The shorter one of data and text blocks, where the other is stored elsewhere. */
export interface OutputBeside {
  content?: readonly ContentBlock[]
  structured?: unknown
  /** The data with a preview in place of the text that is stored elsewhere. */
  structuredWith?(preview: string): unknown
}

/** The result with a preview in place of its output. Its other forms are kept where they are short. */
export function withPreview(
  result: ToolResult,
  { preview, ref, forModel, beside = {} }: OutputReplacement,
): ToolResult {
  const { content: words = [] } = beside
  const structured = beside.structuredWith ? beside.structuredWith(preview) : beside.structured
  const text: ContentBlock = { type: 'text', text: preview }
  const cut: ToolResult = {
    schema_version: result.schema_version,
    result_id: result.result_id,
    invocation_id: result.invocation_id,
    // A failure of any size stays a failure; a result that is stored whole is a success.
    status: result.is_error || ref ? result.status : 'too_large',
    is_error: result.is_error ?? false,
    content: [...words, text, ...(ref ? [refBlock(ref)] : [])],
    model_facing_content: forModel ? [...forModel] : withErrorText(result, [...words, text]),
    created_at: result.created_at,
  }
  if (structured !== undefined) cut.structured_content = structured
  if (ref) cut.persisted_payload_ref = ref
  if (result.redaction_state !== undefined) cut.redaction_state = result.redaction_state
  if (result.native_output !== undefined) cut.native_output = result.native_output
  if (result.resource_refs) cut.resource_refs = fitting(result.resource_refs)
  if (result.artifact_refs) cut.artifact_refs = fitting(result.artifact_refs)
  if (result.error) cut.error = result.error
  if (result.summary) cut.summary = headOf(result.summary, SUMMARY_CHARS)
  if (result.ui_facing_summary) cut.ui_facing_summary = headOf(result.ui_facing_summary, SUMMARY_CHARS)
  if (result.transcript_search_text)
    cut.transcript_search_text = headOf(result.transcript_search_text, SEARCH_CHARS)
  if (result.toolcrib) cut.toolcrib = ref ? result.toolcrib : withoutModifier(result.toolcrib)
  return cut
}

const REFS_CHARS = 4000

/** Refs are normally small. A tool that puts its output into refs keeps only as many as fit. */
function fitting(refs: readonly PayloadRef[]): PayloadRef[] {
  let left = REFS_CHARS
  return refs.filter((ref) => (left -= JSON.stringify(ref).length) >= 0)
}

/** A result that is not stored whole must not change the context either. */
function withoutModifier(own: Record<string, unknown>): Record<string, unknown> {
  const { context_modifier: _, ...rest } = own
  return rest
}

function refBlock(ref: PayloadRef): ContentBlock {
  const { uri, media_type, size_bytes, digest } = ref
  return { type: 'persisted_output_ref', uri, media_type, size_bytes, digest, ref }
}

/** A failure starts with its error message. */
function withErrorText({ is_error, error }: ToolResult, said: ContentBlock[]): ContentBlock[] {
  return is_error && error ? [{ type: 'text', text: error.message }, ...said] : said
}
