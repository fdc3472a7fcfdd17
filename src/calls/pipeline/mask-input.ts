import { compileMask } from '../../foundation/redaction/mask-fields.js'
import type { CatalogTool } from '../../supply/catalog/catalog-tool.js'

/** The input as records may hold it. */
export function maskInput(tool: CatalogTool, input: unknown): unknown {
  const { sensitiveFields } = tool.draft.input
  if (sensitiveFields.length === 0) return input
  tool.prepared.mask ??= compileMask(sensitiveFields)!
  return tool.prepared.mask(input)
}
