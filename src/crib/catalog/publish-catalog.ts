import type { Journal, StreamEntry } from '../../storage/journal/journal.js'
import { ComputedData } from '../../storage/computed-data.js'
import type { EventDraft } from '../../storage/event-list.js'
import { SYSTEM_TENANT, type DocumentWrite } from '../../storage/store.js'
import { toolVersionWrite } from '../../storage/tool-version-documents.js'
import { walkDocuments } from '../../storage/walk-documents.js'
import { createTurns } from '../../platform/async/create-turns.js'
import type { Catalog } from '../../catalog/catalog.js'
import type { CatalogTool } from '../../catalog/catalog-tool.js'
import { setupProblemOf, waitsForAcceptance } from '../../catalog/setup-problem-of.js'
import type { Tombstone } from '../../catalog/name-index.js'
import { persistencePolicyRef } from '../../catalog/records/persistence-policy.js'
import { declaredPolicy } from '../../catalog/records/to-declaration.js'
import { currentDeclaration, packRecords, toolRecords, toolRef } from '../../catalog/records/tool-records.js'
import type { KeepDefinition } from './keep-definitions.js'

const KIND = 'tool'
const PER_GROUP = 50

/** The stored identity of a tool: its names and its last fingerprint. */
interface ToolIdentity {
  toolId: string
  namespace: string
  name: string
  providerName: string
  fingerprint: string
  retiredAt?: number
}

/** The version of a tool that was published last. */
interface PublishedVersion {
  readonly fingerprint: string
  readonly at: number
  /** Where a version is stored only once another one replaces it. */
  readonly tool?: CatalogTool | undefined
}

export interface Publisher {
  /** Records tools that are new or changed since any process last did, those that are blocked as blocked. */
  publish(tools: readonly CatalogTool[]): Promise<void>
  withdraw(tools: readonly CatalogTool[]): Promise<void>
  /** For a caller that may add the same tools again immediately. */
  withdrawNow(tools: readonly CatalogTool[]): void
  retire(tombstone: Tombstone): Promise<void>
  /** The present version of a tool, as any process published it: by its id, or by the end of its id if that is unique. */
  published(
    name: string,
  ): (Pick<PublishedVersion, 'fingerprint' | 'at'> & { readonly toolId: string }) | undefined
}

/** Records each declaration when it is new and when it has changed. */
export async function createPublisher({
  journal,
  catalog,
  stream,
  now,
  keepDefinition,
}: {
  journal: Journal
  catalog: Catalog
  stream: StreamEntry
  now: () => number
  keepDefinition: KeepDefinition
}): Promise<Publisher> {
  const known = new Map<string, PublishedVersion>()
  /** Tools that a person has to accept first, and the fingerprints that they have until then. */
  const blocked = new Map<string, string>()
  for await (const { value, updatedAt } of walkDocuments(journal.store, {
    tenant: SYSTEM_TENANT,
    kind: KIND,
  })) {
    const identity = value as ToolIdentity
    // A retired tool that was added again counts as new.
    if (identity.retiredAt === undefined)
      known.set(identity.toolId, { fingerprint: identity.fingerprint, at: updatedAt })
    else catalog.bury({ ...identity, retiredAt: identity.retiredAt })
  }

  function documentOf(identity: ToolIdentity, updatedAt: number): DocumentWrite {
    return { tenant: SYSTEM_TENANT, kind: KIND, id: identity.toolId, updatedAt, value: identity }
  }

  /** The history of a tool: until when its last version was listed. */
  function endOfVersion(toolId: string, lastSeenAt: number): DocumentWrite[] {
    const before = known.get(toolId)
    if (!before) return []
    keepPublished(before)
    const { fingerprint, at: listedAt } = before
    return [toolVersionWrite({ toolId, fingerprint, listedAt, lastSeenAt })]
  }

  function keepPublished({ tool }: PublishedVersion): void {
    if (tool) keepTool(keepDefinition, tool)
  }

  /** A blocked tool is no version of it yet. Records of refused calls refer to what is in the catalog meanwhile. */
  function block(tool: CatalogTool, at: number): EventDraft {
    const { toolId, fingerprint, draft } = tool
    const before = known.get(toolId)
    if (before) keepPublished(before)
    keepTool(keepDefinition, tool)
    blocked.set(toolId, fingerprint)
    const message = setupProblemOf(draft.availability)?.message
    return { type: 'toolcrib.tool.blocked', at, data: { tool_id: toolId, message } }
  }

  function declare(tool: CatalogTool, at: number): { draft: EventDraft; documents: DocumentWrite[] } {
    const { toolId, fingerprint } = tool
    const before = known.get(toolId)
    // Only this process reads an ephemeral store: there, the declaration is made when it is read.
    const { isEphemeral = false } = journal.store
    const declared = new DeclaredTool(tool, before !== undefined)
    const draft = { type: 'tool.declared', at, data: isEphemeral ? declared : declared.whole() } as const
    blocked.delete(toolId)
    // The change of a blocked tool was taken back.
    if (before?.fingerprint === fingerprint) return { draft, documents: [] }
    const documents = [documentOf(identityOf(tool), at), ...endOfVersion(toolId, at)]
    // And the tool is stored when it is first called or replaced.
    if (!isEphemeral) keepTool(keepDefinition, tool)
    known.set(toolId, { fingerprint, at, tool: isEphemeral ? tool : undefined })
    return { draft, documents }
  }

  async function publishGroup(tools: readonly CatalogTool[]): Promise<void> {
    const at = now()
    const drafts: EventDraft[] = []
    const documents: DocumentWrite[] = []
    for (const tool of tools) {
      const { toolId, fingerprint, draft } = tool
      if (waitsForAcceptance(draft.availability)) {
        if (blocked.get(toolId) !== fingerprint) drafts.push(block(tool, at))
      } else if (blocked.has(toolId) || known.get(toolId)?.fingerprint !== fingerprint) {
        const declared = declare(tool, at)
        drafts.push(declared.draft)
        documents.push(...declared.documents)
      }
    }
    if (drafts.length > 0) journal.append(stream, drafts, documents)
  }

  function withdrawGroup(tools: readonly CatalogTool[]): void {
    const at = now()
    journal.append(
      stream,
      tools.map((tool) => ({ type: 'toolcrib.tool.removed', at, data: { tool_id: tool.toolId } })),
      tools.flatMap(({ toolId: id }) => [
        { tenant: SYSTEM_TENANT, kind: KIND, id, updatedAt: at, value: undefined },
        ...endOfVersion(id, at),
      ]),
    )
    for (const { toolId } of tools) forget(toolId)
  }

  function forget(toolId: string): void {
    known.delete(toolId)
    blocked.delete(toolId)
  }

  return {
    async publish(tools) {
      const turns = createTurns()
      for (let from = 0; from < tools.length; from += PER_GROUP) {
        await publishGroup(tools.slice(from, from + PER_GROUP))
        // Yields to other work: the catalog may be large.
        await turns.due()
      }
    },
    async withdraw(tools) {
      const turns = createTurns()
      for (let from = 0; from < tools.length; from += PER_GROUP) {
        withdrawGroup(tools.slice(from, from + PER_GROUP))
        await turns.due()
      }
    },
    withdrawNow: withdrawGroup,
    async retire(tombstone) {
      const at = now()
      const { toolId } = tombstone
      const retired: EventDraft = { type: 'toolcrib.tool.retired', at, data: { tool_id: toolId } }
      journal.append(stream, [retired], [documentOf({ ...tombstone }, at), ...endOfVersion(toolId, at)])
      forget(toolId)
      await journal.flush()
    },
    published(name) {
      const ids = known.has(name) ? [name] : [...known.keys()].filter((id) => id.endsWith(`.${name}`))
      const [toolId] = ids
      return ids.length === 1 ? { toolId: toolId!, ...known.get(toolId!)! } : undefined
    },
  }
}

/** The data of the event that declares a tool. */
class DeclaredTool extends ComputedData {
  readonly #tool: CatalogTool
  readonly #isChanged: boolean

  constructor(tool: CatalogTool, isChanged: boolean) {
    super()
    this.#tool = tool
    this.#isChanged = isChanged
  }

  whole(): object {
    const { fingerprint } = this.#tool
    return { declaration: currentDeclaration(this.#tool), fingerprint, changed: this.#isChanged }
  }
}

/** The records of a tool, which never change. */
class ToolDefinition extends ComputedData {
  readonly #tool: CatalogTool

  constructor(tool: CatalogTool) {
    super()
    this.#tool = tool
  }

  whole(): object {
    return packRecords(toolRecords(this.#tool))
  }
}

/** Stores what the refs of this version of a tool refer to. */
export function keepTool(keepDefinition: KeepDefinition, tool: CatalogTool): void {
  keepDefinition(toolRef(tool), () => new ToolDefinition(tool))
  const policy = declaredPolicy(tool.draft.output)
  if (policy) keepDefinition(persistencePolicyRef(policy), () => policy)
}

function identityOf({ toolId, providerName, fingerprint, draft }: CatalogTool): ToolIdentity {
  // Frozen, so that a store in memory need not keep its own texts.
  return Object.freeze({ toolId, namespace: draft.namespace, name: draft.name, providerName, fingerprint })
}
