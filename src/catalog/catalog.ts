import type { ToolNamespace } from '../contract/objects/tool-namespace.js'
import { SCHEMA_VERSION } from '../contract/unions.js'
import { createCatalogTool, toolIdOf, type CatalogTool } from './catalog-tool.js'
import { onlyJson } from './only-json.js'
import { createNameIndex, type Resolved, type Tombstone } from './name-index.js'
import type { ToolDefaults } from './tool-defaults.js'
import type { ToolDraft } from './tool-draft.js'

export interface CatalogProblem {
  toolId: string
  message: string
}

export interface CatalogChange {
  added: readonly CatalogTool[]
  removed: readonly CatalogTool[]
}

/** What `add` did, with methods to undo exactly that or to replace the tools. */
export interface Added {
  tools: readonly CatalogTool[]
  problems: readonly CatalogProblem[]
  /** Replaces all tools; if one of the new ones is invalid, none: then the old ones stay. */
  replace(drafts: Iterable<ToolDraft>): Replaced
  /** Returns the removed tools; none on the second call, and none of the retired tools. */
  dispose(): readonly CatalogTool[]
}

export interface Replaced {
  problems: readonly CatalogProblem[]
  removed: readonly CatalogTool[]
}

/** All tools, in one shape. */
export interface Catalog {
  /** Grows with every change; a surface is built for one revision. */
  readonly revision: number
  add(source: string, drafts: Iterable<ToolDraft>): Added
  /** Computes what is needed of a draft in advance: many of them at once would block the process. */
  prepare(source: string, draft: ToolDraft): void
  get(toolId: string): CatalogTool | undefined
  resolve(name: string, isVisible?: (tool: CatalogTool) => boolean): Resolved
  /** The tool of that name, if there is exactly one. */
  find(name: string): CatalogTool | undefined
  /** All tools by id, in a stable order. */
  list(): readonly CatalogTool[]
  namespaces(): ToolNamespace[]
  /** Removes a tool for good; its name then resolves to the tombstone. */
  retire(toolId: string, at: number): Tombstone | undefined
  bury(tombstone: Tombstone): void
  onChange(listener: (change: CatalogChange) => void): () => void
}

export function createCatalog(defaults?: ToolDefaults): Catalog {
  const tools = new Map<string, CatalogTool>()
  const names = createNameIndex()
  const prepared = new WeakMap<ToolDraft, CatalogTool>()
  const listeners = new Set<(change: CatalogChange) => void>()
  let ordered: readonly CatalogTool[] | undefined

  function changed(change: CatalogChange): void {
    catalog.revision++
    ordered = undefined
    for (const listener of listeners) listener(change)
  }

  function insert(source: string, draft: ToolDraft): CatalogTool | CatalogProblem {
    const ready = takePrepared(source, draft)
    const problem = ready ? undefined : problemWith(draft)
    if (problem) return { toolId: String(toolIdOf(draft)), message: problem }
    const tool = ready ?? createCatalogTool(source, draft, defaults)
    const present = names.holderOf(tool)
    if (present) {
      const message = `The tool "${tool.toolId}" is already there, from ${present.source}; give one of them another name or namespace.`
      return { toolId: tool.toolId, message }
    }
    tools.set(tool.toolId, tool)
    names.add(tool)
    // A tool that returns under its old id replaces the tombstone.
    names.unbury(tool.toolId)
    return tool
  }

  function takePrepared(source: string, draft: ToolDraft): CatalogTool | undefined {
    const tool = prepared.get(draft)
    prepared.delete(draft)
    return tool?.source === source ? tool : undefined
  }

  function remove(tool: CatalogTool): boolean {
    // Only this very tool: a later one under the same id belongs to another registration.
    if (tools.get(tool.toolId) !== tool) return false
    tools.delete(tool.toolId)
    names.remove(tool)
    return true
  }

  function insertAll(source: string, drafts: Iterable<ToolDraft>) {
    const inserted: CatalogTool[] = []
    const problems: CatalogProblem[] = []
    for (const draft of drafts) {
      const outcome = insert(source, draft)
      if ('message' in outcome) problems.push(outcome)
      else inserted.push(outcome)
    }
    return { inserted, problems }
  }

  function restore(tool: CatalogTool): void {
    tools.set(tool.toolId, tool)
    names.add(tool)
  }

  /** Records the difference between two lists of one source; unchanged tools are not reported. */
  function announce(before: readonly CatalogTool[], after: readonly CatalogTool[]): readonly CatalogTool[] {
    const was = new Map(before.map((tool) => [tool.toolId, tool]))
    const added = after.filter((tool) => !isSame(was.get(tool.toolId), tool))
    const removed = before.filter(({ toolId }) => !tools.has(toolId))
    if (added.length > 0 || removed.length > 0) changed({ added, removed })
    ordered = undefined
    return removed
  }

  // The revision is a plain field: every call reads it, and an object that has accessors of its own is slow to read.
  const catalog: Catalog & { revision: number } = {
    revision: 0,
    prepare(source, draft) {
      if (typeof draft !== 'object' || draft === null || problemWith(draft)) return
      const tool = createCatalogTool(source, draft, defaults)
      // Both are computed on first use.
      void [tool.fingerprint, tool.providerName]
      prepared.set(draft, tool)
    },
    add(source, drafts) {
      const { inserted, problems } = insertAll(source, [...drafts])
      let present = inserted
      if (present.length > 0) changed({ added: present, removed: [] })
      return {
        get tools() {
          return present
        },
        problems,
        replace(drafts) {
          // Collected first: an iterable that throws must not leave half of the list behind.
          const next = [...drafts]
          const before = present.filter(remove)
          const { inserted: fresh, problems } = insertAll(source, next)
          if (problems.length > 0) {
            fresh.forEach(remove)
            before.forEach(restore)
            return { problems, removed: [] }
          }
          present = fresh
          return { problems, removed: announce(before, fresh) }
        },
        dispose() {
          const removed = present.filter(remove)
          if (removed.length > 0) changed({ added: [], removed })
          return removed
        },
      }
    },
    get: (toolId) => tools.get(toolId),
    resolve: names.resolve,
    find(name) {
      const resolved = names.resolve(name)
      return resolved && 'found' in resolved ? resolved.found : undefined
    },
    list: () => (ordered ??= [...tools.values()].sort(byId)),
    namespaces: () => namespacesOf(tools.values()),
    retire(toolId, at) {
      const tool = tools.get(toolId)
      if (!tool) return undefined
      const { providerName, fingerprint } = tool
      const { namespace, name } = tool.draft
      const tombstone = { toolId, namespace, name, providerName, fingerprint, retiredAt: at }
      remove(tool)
      names.bury(tombstone)
      changed({ added: [], removed: [tool] })
      return tombstone
    },
    bury(tombstone) {
      if (!tools.has(tombstone.toolId)) names.bury(tombstone)
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  return catalog
}

/** Whether two tools have the same definition and defaults. Then their cost is the same, too. */
function isSame(before: CatalogTool | undefined, tool: CatalogTool): boolean {
  if (before?.fingerprint !== tool.fingerprint) return false
  const { promptTokens } = before.prepared
  if (promptTokens !== undefined) tool.prepared.promptTokens = promptTokens
  return true
}

function byId(a: CatalogTool, b: CatalogTool): number {
  return a.toolId < b.toolId ? -1 : 1
}

// Drafts also come from JavaScript, without type checks.
function problemWith(draft: ToolDraft): string | undefined {
  const { namespace, name, toolId, aliases, input, description, execute }: Record<string, unknown> = {
    ...draft,
  }
  if (typeof name !== 'string' || name === '') return 'A tool has no name; give it "name": a non-empty text.'
  const called = `The tool "${String(namespace)}.${name}"`
  if (toolId !== undefined && (typeof toolId !== 'string' || toolId === '')) {
    return `${called} has an empty id; leave "toolId" out or make it a non-empty text.`
  }
  const isDefined =
    typeof namespace === 'string' && namespace !== '' && Array.isArray(aliases) && typeof input === 'object'
  if (!isDefined) return `The tool "${name}" was not made by defineTool; wrap it in defineTool({ … }).`
  const { pathFields, urlFields } = { ...(input as object | null) } as Partial<ToolDraft['input']>
  if (!Array.isArray(pathFields) || !Array.isArray(urlFields)) {
    return `${called} was made by another version of toolcrib; install one version.`
  }
  const { argumentMode = 'json' } = input as Partial<ToolDraft['input']>
  if (argumentMode !== 'json') return `${called} ${onlyJson(argumentMode)}`
  if (typeof description !== 'string' || description.trim() === '') {
    return `${called} has no description; say in a sentence when a model should use it.`
  }
  if (typeof execute !== 'function')
    return `${called} cannot be run; make it with defineTool({ …, execute }).`
  return undefined
}

function namespacesOf(tools: Iterable<CatalogTool>): ToolNamespace[] {
  const counts = new Map<string, { tools: number; sources: Set<string> }>()
  for (const { draft, source } of tools) {
    const entry = counts.get(draft.namespace) ?? { tools: 0, sources: new Set() }
    entry.tools++
    entry.sources.add(source)
    counts.set(draft.namespace, entry)
  }
  return [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([namespace, entry]) => ({
      schema_version: SCHEMA_VERSION,
      namespace,
      toolcrib: { tools: entry.tools, sources: [...entry.sources].sort() },
    }))
}
