import type { CatalogTool } from '../../catalog/catalog-tool.js'
import { isStrict } from '../../catalog/records/is-strict.js'
import { objectSchema, type ObjectSchema } from './object-schema.js'
import type { ProviderFormat } from './provider-format.js'
import { resultText } from './result-text.js'
import { wireDescription } from '../../surfaces/wire-description.js'

export interface OpenaiTool {
  type: 'function'
  function: { name: string; description: string; parameters: ObjectSchema; strict?: boolean }
}

export interface OpenaiResult {
  role: 'tool'
  tool_call_id: string
  content: string
}

/** Chat completions. */
export const openai: ProviderFormat<OpenaiTool[], OpenaiResult> = {
  defersNatively: false,
  toList: (listed) => listed.map(({ tool }) => toFunction(tool)),
  callShape: '{ id, type: "function", function: { name, arguments } }',
  fromCall({ id, function: called }) {
    if (typeof called !== 'object' || called === null) return undefined
    const { name, arguments: input } = called as Record<string, unknown>
    if (typeof id !== 'string' || typeof name !== 'string' || typeof input !== 'string') return undefined
    return { name, input, nativeCallId: id }
  },
  toResult: ({ result, nativeCallId }) => ({
    role: 'tool',
    tool_call_id: nativeCallId ?? '',
    content: resultText(result),
  }),
}

function toFunction(tool: CatalogTool): OpenaiTool {
  const { input } = tool.draft
  return {
    type: 'function',
    function: {
      name: tool.providerName,
      description: wireDescription(tool.draft),
      parameters: objectSchema(tool),
      ...((input.strict !== undefined || isStrict(input)) && { strict: isStrict(input) }),
    },
  }
}
