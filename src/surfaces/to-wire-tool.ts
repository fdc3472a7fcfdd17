import type { JsonSchema } from '../contract/json-schema.js'
import type { CatalogTool } from '../catalog/catalog-tool.js'
import { wireDescription } from './wire-description.js'

/** A tool in the format for model providers. Fields that only the runtime fills in are not in the schema. */
export interface WireTool {
  name: string
  description: string
  input_schema: JsonSchema
}

export function toWireTool({ providerName, draft }: CatalogTool): WireTool {
  return { name: providerName, description: wireDescription(draft), input_schema: draft.input.modelSchema }
}
