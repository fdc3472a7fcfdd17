import type { JsonSchema } from '../contract/json-schema.js'
import type { CatalogTool } from '../catalog/catalog-tool.js'
import { wireDescription } from './wire-description.js'

/** A tool as model providers get it. Fields that only the runtime fills in are not part of the model's schema. */
export interface WireTool {
  name: string
  description: string
  input_schema: JsonSchema
}

export function toWireTool({ providerName, draft }: CatalogTool): WireTool {
  return { name: providerName, description: wireDescription(draft), input_schema: draft.input.modelSchema }
}
