import { compileMask, type Mask } from '../../foundation/redaction/mask-fields.js'
import type { CatalogTool } from '../../supply/catalog/catalog-tool.js'

const masks = new WeakMap<CatalogTool, Mask>()

/** The input as records may hold it. */
export function maskInput(tool: CatalogTool, input: unknown): unknown {
  const { sensitiveFields } = tool.draft.input
  if (sensitiveFields.length === 0) return input
  let mask = masks.get(tool)
  if (!mask) masks.set(tool, (mask = compileMask(sensitiveFields)!))
  return mask(input)
}
