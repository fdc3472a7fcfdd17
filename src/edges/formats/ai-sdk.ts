import { objectSchema, type ObjectSchema } from './object-schema.js'
import type { ProviderFormat } from './provider-format.js'
import { resultText } from './result-text.js'
import { wireDescription } from '../../surfaces/wire-description.js'

/** By this mark the AI SDK knows a JSON Schema. Registered: no need to load the SDK for it. */
const SCHEMA = Symbol.for('vercel.ai.schema')

export interface AiSdkSchema {
  jsonSchema: ObjectSchema
  /** The crib checks arguments, and answers with what is wrong. */
  validate: undefined
}

export type AiSdkTools = Record<string, { description: string; inputSchema: AiSdkSchema; strict?: boolean }>

export interface AiSdkResult {
  type: 'tool-result'
  toolCallId: string
  toolName: string
  output: { type: 'text' | 'error-text'; value: string }
}

/** A set of tools without `execute`: the loop hands the calls to the crib. */
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
