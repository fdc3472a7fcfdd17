import type { CatalogTool } from '../catalog/catalog-tool.js'
import { embedTool } from './meaning/embed-tool.js'
import type { WordVectors } from './meaning/load-word-vectors.js'
import { packVector, type PackedVector } from './meaning/pack-vector.js'
import { weighTerms } from './weigh-terms.js'

/** Grows whenever the same tool is analysed to something else than before: what was kept is then thrown away. */
export const ANALYSIS_VERSION = 2

/** What the index needs to know of a tool. It follows from the tool and the word vectors alone. */
export interface Analysis {
  terms: ReadonlyMap<string, number>
  /** Packed from the start, so that it is the same whether it was kept or not. */
  meaning: PackedVector | undefined
}

export function analyseTool(tool: CatalogTool, vectors: WordVectors | undefined): Analysis {
  const meaning = vectors && embedTool(tool, vectors)
  return { terms: weighTerms(tool, vectors?.rankOf), meaning: meaning && packVector(meaning) }
}

/** Of what an analysis that is to be used must have been made. */
export function analysisStamp(vectors: WordVectors | undefined): string {
  return `${ANALYSIS_VERSION} ${vectors?.id ?? 'no vectors'}`
}
