import { addSourceSection, entriesIn } from '../platform/config/source-sections.js'
import { builtinsKind } from './builtins/builtins-kind.js'
import type { SourceKind } from './kind.js'
import { mcpKind } from './mcp/mcp-kind.js'
import { openapiKind } from './openapi/openapi-kind.js'
import { toolFileKind } from './tool-file/tool-file-kind.js'

/** Every kind of source that a config can name. Function tools are imported, and have no settings of their own. */
const kinds: SourceKind[] = [
  mcpKind, // servers of the Model Context Protocol
  openapiKind, // APIs with an OpenAPI document
  toolFileKind, // folders with tool files of AML
  builtinsKind, // tools of Toolcrib itself: files, shell, code, …
]

export function sourceKinds(): readonly SourceKind[] {
  return kinds
}

/** Registers another kind that a config may then name. The returned function removes it. */
export function addSourceKind(kind: SourceKind): () => void {
  const removeSection = addSourceSection(kind)
  kinds.push(kind)
  return () => {
    const at = kinds.indexOf(kind)
    if (at >= 0) kinds.splice(at, 1)
    removeSection()
  }
}

/** The keys of a config that name sources, for sentences: `"mcpServers" or "openapi"`. */
export function sourceKeys(): string {
  return kinds.map(({ key }) => `"${key}"`).join(' or ')
}

/** Whether a config names any source. */
export function hasSources({ config }: { readonly config: object }): boolean {
  return entriesIn(config).length > 0
}

/** Whether a config names a source that may offer agents. */
export function mayHaveAgents({ config }: { readonly config: object }): boolean {
  return kinds.some(
    ({ hasAgents, entries, key }) => hasAgents && entries(Reflect.get(config, key)).length > 0,
  )
}

/** The names of all sources of a config. */
export function sourceNames({ config }: { readonly config: object }): string[] {
  return entriesIn(config).map(({ entry }) => entry.name)
}

/** The folders and files of all kinds that hold credentials. No tool may read or write them. */
export function secretPaths(): string[] {
  return kinds.flatMap((kind) => kind.secretPaths?.() ?? [])
}
