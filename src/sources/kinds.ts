import { addSourceSection, entriesIn } from '../platform/config/source-sections.js'
import type { SourceKind } from './kind.js'
import { mcpKind } from './mcp/mcp-kind.js'

/** Every kind of source that a config can name. Function tools are imported, and have no settings of their own. */
const kinds: SourceKind[] = [
  mcpKind, // servers of the Model Context Protocol
]

export function sourceKinds(): readonly SourceKind[] {
  return kinds
}

/** Takes another kind: a config may name it from now on. What it returns takes it out again. */
export function addSourceKind(kind: SourceKind): () => void {
  const removeSection = addSourceSection(kind)
  kinds.push(kind)
  return () => {
    kinds.splice(kinds.indexOf(kind), 1)
    removeSection()
  }
}

/** Whether a config names any source. */
export function hasSources({ config }: { readonly config: object }): boolean {
  return entriesIn(config).length > 0
}
