import type { CatalogTool } from '../catalog/catalog-tool.js'
import { fieldWeights, toolFields, usualWords, type FieldName } from './tool-fields.js'
import { splitCompound, type RankOf } from './words/split-compound.js'
import { splitWords } from './words/split-words.js'
import { isContentWord, stemOf } from './words/to-stems.js'

/** How much the length of a field lowers the weight of its words. */
const LENGTH_SHARE = 0.8

const nameFields: ReadonlySet<FieldName> = new Set(['name', 'aliases', 'title', 'namespace'])

/** The terms of a tool, each with its total weight over all fields. */
export function weighTerms(tool: CatalogTool, rankOf?: RankOf): Map<string, number> {
  const weights = new Map<string, number>()
  for (const [field, text] of Object.entries(toolFields(tool)) as [FieldName, string][]) {
    const all = splitWords(text)
    const words = all.filter(isContentWord)
    const each = fieldWeights[field] / (1 - LENGTH_SHARE + (LENGTH_SHARE * words.length) / usualWords[field])
    const add = (word: string): void => {
      const stem = stemOf(word)
      weights.set(stem, (weights.get(stem) ?? 0) + each)
    }
    // A tool may be called "get": a search for that word finds it.
    for (const word of nameFields.has(field) ? all : words) {
      add(word)
      if (rankOf && nameFields.has(field)) splitCompound(word, rankOf).forEach(add)
    }
  }
  return weights
}
