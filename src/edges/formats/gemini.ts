import { objectSchema, type ObjectSchema } from './object-schema.js'
import type { ProviderFormat } from './provider-format.js'
import { resultText } from './result-text.js'
import { wireDescription } from '../../surfaces/wire-description.js'

export interface GeminiDeclaration {
  name: string
  description: string
  /** Full JSON Schema: the older field, `parameters`, supports only a part of it. */
  parametersJsonSchema: ObjectSchema
}

export interface GeminiTools {
  functionDeclarations: GeminiDeclaration[]
}

export interface GeminiResult {
  functionResponse: { id?: string; name: string; response: { output: string } | { error: string } }
}

export const gemini: ProviderFormat<GeminiTools[], GeminiResult> = {
  defersNatively: false,
  toList: (listed) => [
    {
      functionDeclarations: listed.map(({ tool }) => ({
        name: tool.providerName,
        description: wireDescription(tool.draft),
        parametersJsonSchema: objectSchema(tool),
      })),
    },
  ],
  callShape: '{ functionCall: { name, args } }',
  fromCall(part) {
    const call = (part['functionCall'] ?? part) as Record<string, unknown>
    const { id, name, args } = call
    if (typeof name !== 'string') return undefined
    // Not every backend gives an id; the answer is then matched by its position.
    return { name, input: args ?? {}, ...(typeof id === 'string' && { nativeCallId: id }) }
  },
  toResult({ result, nativeCallId, toolName }) {
    const text = resultText(result)
    return {
      functionResponse: {
        ...(nativeCallId !== undefined && { id: nativeCallId }),
        name: toolName,
        response: result.is_error ? { error: text } : { output: text },
      },
    }
  },
}
