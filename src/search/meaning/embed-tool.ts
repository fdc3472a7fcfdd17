import type { CatalogTool } from '../../catalog/catalog-tool.js'
import { toolFields, type FieldName } from '../tool-fields.js'
import { embedTexts } from './embed-text.js'
import type { WordVectors } from './load-word-vectors.js'

/** A name is a few words, a description a sentence: their combined meaning is what the tool does. */
const shares: Readonly<Record<FieldName, number>> = {
  name: 1,
  aliases: 0.5,
  title: 0.5,
  hint: 1,
  namespace: 0.3,
  description: 1,
  capabilities: 0.3,
  guidance: 0.5,
  parameters: 0.15,
}

export function embedTool(tool: CatalogTool, vectors: WordVectors): Float32Array | undefined {
  const texts = Object.entries(toolFields(tool)).map(
    ([field, text]) => [text, shares[field as FieldName]] as const,
  )
  return embedTexts(texts, vectors)
}
