import type { ToolError } from '../../contract/objects/tool-error.js'
import type { MutationSource } from '../../contract/unions.js'
import type { CatalogTool } from '../../catalog/catalog-tool.js'
import { toolError } from '../failures/tool-error.js'

/** Why this source may not replace the tool's input; undefined if it may. */
export function mayChangeInput(tool: CatalogTool, source: MutationSource): ToolError | undefined {
  const policy = tool.draft.input.mutationPolicy
  if (policy === 'allow') return undefined
  if (policy === 'runtime_only' && (source === 'runtime' || source === 'adapter')) return undefined
  return toolError('input_mutation_failed', {
    code: 'toolcrib.mutation_forbidden',
    message: `The input of "${tool.toolId}" may not be replaced by a ${source.replace('_', ' ')}: its mutation policy is "${policy}".`,
  })
}
