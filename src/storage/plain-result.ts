import type { ContentBlock, ToolResult } from '../contract/objects/tool-result.js'
import { ComputedData } from './computed-data.js'

/** What a plain result has beside what follows from its call: it succeeded, and nothing was added, cut or masked. */
export interface PlainParts {
  readonly invocationId: string
  readonly createdAt: string
  readonly content: ContentBlock[]
  /** Absent if the output is only text. */
  readonly structured: unknown
  readonly own: ToolResult['toolcrib']
}

/** Of the results that are kept in parts. It stays: results of another version are kept whole. */
const VERSION = '0.2.0'
const PREFIX = 'res_'

/** The fields in the order of every result: a reader of raw events sees no difference. */
export function wholeResult({ invocationId, createdAt, content, structured, own }: PlainParts): ToolResult {
  return {
    schema_version: VERSION,
    result_id: `${PREFIX}${invocationId}`,
    invocation_id: invocationId,
    status: 'succeeded',
    is_error: false,
    content,
    ...(structured !== undefined && { structured_content: structured }),
    model_facing_content: content,
    redaction_state: 'none',
    created_at: createdAt,
    toolcrib: own,
  } as ToolResult
}

/** The fields of a plain result, in their order. */
const FIELDS = [
  'schema_version',
  'result_id',
  'invocation_id',
  'status',
  'is_error',
  'content',
  'structured_content',
  'model_facing_content',
  'redaction_state',
  'created_at',
  'toolcrib',
] as const satisfies readonly (keyof ToolResult)[]
const STRUCTURED = FIELDS.indexOf('structured_content')

/** Whether `wholeResult` would make the same result of its parts. */
export function isPlainResult(result: ToolResult, invocationId: string): boolean {
  const { result_id: id, structured_content: structured } = result
  return (
    result.toolcrib !== undefined &&
    hasFields(result, structured !== undefined) &&
    result.status === 'succeeded' &&
    !result.is_error &&
    result.redaction_state === 'none' &&
    result.model_facing_content === result.content &&
    result.schema_version === VERSION &&
    result.invocation_id === invocationId &&
    id.length === PREFIX.length + invocationId.length &&
    id.startsWith(PREFIX) &&
    id.endsWith(invocationId)
  )
}

function hasFields(result: ToolResult, isStructured: boolean): boolean {
  let index = 0
  for (const field in result) {
    if (index === STRUCTURED && !isStructured) index++
    if (field !== FIELDS[index++]) return false
  }
  return index === FIELDS.length
}

/**
 * A plain result of one text, as the log keeps it: the whole is made when it is read. What a log keeps of a call costs
 * the garbage collector more than making it did, and this is one object instead of six.
 */
export class PlainResult extends ComputedData {
  readonly invocationId: string
  readonly createdAt: string
  readonly text: string
  readonly structured: unknown
  readonly own: ToolResult['toolcrib']

  // Five parameters rather than an object of them: this runs in every call.
  constructor(
    invocationId: string,
    createdAt: string,
    text: string,
    structured: unknown,
    own: ToolResult['toolcrib'],
  ) {
    super()
    this.invocationId = invocationId
    this.createdAt = createdAt
    this.text = text
    this.structured = structured
    this.own = own
  }

  get content(): ContentBlock[] {
    return [{ type: 'text', text: this.text }]
  }

  whole(): ToolResult {
    return wholeResult(this)
  }
}
