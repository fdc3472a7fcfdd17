import { objectSchema, type ObjectSchema } from './object-schema.js'
import type { ProviderFormat } from './provider-format.js'
import { resultText } from './result-text.js'
import { wireDescription } from '../../surfaces/wire-description.js'

/** The mark by which the AI SDK recognizes a JSON Schema. Registered globally, so that the SDK need not be loaded. */
const SCHEMA = Symbol.for('vercel.ai.schema')

export interface AiSdkSchema {
  jsonSchema: ObjectSchema
  /** The crib checks the arguments, and its result has the problems. */
  validate: undefined
}

export type AiSdkTools = Record<string, { description: string; inputSchema: AiSdkSchema; strict?: boolean }>

export interface AiSdkResult {
  type: 'tool-result'
  toolCallId: string
  toolName: string
  output: { type: 'text' | 'error-text'; value: string }
}

/** A set of tools without `execute`: the agent loop passes the calls to the crib. */
export const aiSdk: ProviderFormat<AiSdkTools, AiSdkResult> = {
  defersNatively: false,
  toList: (listed) =>
    Object.fromEntries(
      listed.map(({ tool }) => [
        tool.providerName,
        {
          description: wireDescription(tool.draft),
          inputSchema: toSchema(objectSchema(tool)),
          ...(tool.draft.input.strict !== undefined && { strict: tool.draft.input.strict }),
        },
      ]),
    ),
  callShape: '{ type: "tool-call", toolCallId, toolName, input }',
  fromCall({ toolCallId, toolName, input }) {
    if (typeof toolCallId !== 'string' || typeof toolName !== 'string') return undefined
    return { name: toolName, input, nativeCallId: toolCallId }
  },
  toResult: ({ result, nativeCallId, toolName }) => ({
    type: 'tool-result',
    toolCallId: nativeCallId ?? '',
    toolName,
    output: { type: result.is_error ? 'error-text' : 'text', value: resultText(result) },
  }),
}

function toSchema(jsonSchema: ObjectSchema): AiSdkSchema {
  const schema: AiSdkSchema = { jsonSchema, validate: undefined }
  return Object.assign(schema, { [SCHEMA]: true })
}
