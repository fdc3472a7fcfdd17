import type { CatalogTool } from '../catalog/catalog-tool.js'
import { embedTool } from './meaning/embed-tool.js'
import type { WordVectors } from './meaning/load-word-vectors.js'
import { packVector, type PackedVector } from './meaning/pack-vector.js'
import { weighTerms } from './weigh-terms.js'

/** Raise it whenever the analysis of the same tool changes: stored analyses are then discarded. */
export const ANALYSIS_VERSION = 2

/** What the index needs about a tool. It depends only on the tool and the word vectors. */
export interface Analysis {
  terms: ReadonlyMap<string, number>
  /** Packed from the start, so that a stored and a fresh one are equal. */
  meaning: PackedVector | undefined
}

export function analyseTool(tool: CatalogTool, vectors: WordVectors | undefined): Analysis {
  const meaning = vectors && embedTool(tool, vectors)
  return { terms: weighTerms(tool, vectors?.rankOf), meaning: meaning && packVector(meaning) }
}

/** The versions that a stored analysis must have been made with. */
export function analysisStamp(vectors: WordVectors | undefined): string {
  return `${ANALYSIS_VERSION} ${vectors?.id ?? 'no vectors'}`
}
