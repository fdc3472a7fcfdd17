import { setTimeout as sleep } from 'node:timers/promises'
import { errorMessage } from '../../platform/text/error-message.js'
import { createJournal } from '../../storage/journal/journal.js'
import type { ToolDraft } from '../../catalog/tool-draft.js'
import { setupProblemOf } from '../../catalog/setup-problem-of.js'
import type { ChangedTool } from '../../sources/changes/source-changes.js'
import type { OpenedKind, SourceKind } from '../../sources/kind.js'
import { sourceKinds } from '../../sources/kinds.js'
import { mcpKind, type OpenedMcp } from '../../sources/mcp/mcp-kind.js'
import type { McpServers } from '../../sources/mcp/mcp-server.js'
import type { ServerSnapshot, SeenServer } from '../../sources/mcp/servers/server-snapshot.js'
import type { SetupGap, Source, SourceStatus, SourceStorage } from '../../sources/source.js'
import { hasRecord } from '../../storage/has-record.js'
import { openStore } from '../../storage/open-store.js'
import { configuredStore } from '../stores/configured-store.js'
import { slowServersIn } from '../serving/slow-servers.js'
import type { CribSettings } from '../crib-settings.js'
import { sourceStorage } from '../../crib/catalog/source-storage.js'
import {
  openConfiguredSources,
  type EntryProblem,
  type OpenedSources,
  type OpenSourcesOptions,
} from './open-configured-sources.js'

export interface InspectOptions extends OpenSourcesOptions {
  /** How long to wait; a slower source is reported in the state that it then has. */
  waitMs: number
  /** Replaces the store of the config. */
  store?: string | undefined
  /** The state of the servers in a process that runs them already; undefined where there is none. */
  running?: (() => Promise<readonly ServerSnapshot[] | undefined>) | undefined
}

export interface InspectedSources {
  /** MCP servers: more is known of them than of other sources. */
  servers: readonly SeenServer[]
  /** The sources of all other kinds. */
  others: readonly InspectedSource[]
  problems: readonly EntryProblem[]
  secrets: readonly string[]
  /** Servers that a gateway waits for only briefly, because they did not answer in an earlier start. */
  slow: ReadonlySet<string>
}

/** A source, its tools and its state. */
export interface InspectedSource {
  readonly kind: SourceKind
  /** The name of its entry in the config. */
  readonly entry: string
  readonly source: Source
  readonly drafts: readonly ToolDraft[]
  readonly status: SourceStatus
  /** Tools whose changes need to be accepted. */
  readonly changed: readonly ChangedTool[]
  /** What is wrong with parts of it. */
  readonly problems: readonly string[]
}

/**
 * Inspects the servers of a config in the process that runs them. If there is none, it opens the sources of the config
 * without a crib, for the time of `see`. If there is a record, the lists are stored in it, so that a changed tool needs
 * acceptance whichever command saw it first; no record is created.
 */
export async function inspectSources<Seen>(
  settings: CribSettings,
  { waitMs, store: given, running, ...options }: InspectOptions,
  see: (looked: InspectedSources) => Promise<Seen>,
): Promise<Seen> {
  const opened = await openConfiguredSources(settings, options)
  const { problems, secrets, live } = opened
  const ofMcp = opened.of(mcpKind)
  const snapshots = ofMcp?.mcp && (await running?.())
  const mcp = snapshots ? await fromSnapshots(ofMcp!, snapshots) : ofMcp?.mcp
  if (!mcp && opened.sources.length === 0)
    return see({ servers: [], others: [], problems, secrets, slow: new Set() })
  const named = openStore(configuredStore(settings, given))
  const store = hasRecord(named) ? named : undefined
  const journal = store && createJournal({ store })
  try {
    await store?.open()
    const tenant = settings.config.tenant ?? 'default'
    const storage = journal
      ? sourceStorage(journal, { tenant, now: () => journal.store.now() })
      : temporaryStorage(tenant)
    const others = inspectOthers(opened, { storage, waitMs })
    for (const source of mcp?.sources ?? []) await source.open?.(storage)
    await mcp?.settled(waitMs)
    return await see({
      servers: mcp?.servers ?? [],
      others: await others,
      problems,
      secrets: [...secrets, ...live.list],
      slow: store ? await slowServersIn(store, ofMcp?.servers ?? {}) : new Set<string>(),
    })
  } finally {
    await mcp?.close()
    await closeOthers(opened)
    await journal?.durable()
    await store?.close()
  }
}

interface OtherKind {
  readonly kind: SourceKind
  readonly opened: OpenedKind
}

function otherKinds(opened: OpenedSources): OtherKind[] {
  return sourceKinds().flatMap((kind) => {
    const made = kind === mcpKind ? undefined : opened.of(kind)
    return made ? [{ kind, opened: made }] : []
  })
}

function inspectOthers(
  opened: OpenedSources,
  { storage, waitMs }: { storage: SourceStorage; waitMs: number },
): Promise<InspectedSource[]> {
  const over = AbortSignal.timeout(waitMs)
  return Promise.all(
    otherKinds(opened).flatMap(({ kind, opened: made }) =>
      made.sources.map(async (source) => {
        const entry = source.entry ?? source.name
        const { drafts, status } = await listOnce(source, { storage, over })
        const ofKind = made.status?.().find(({ name }) => name === source.name)
        const changed = (await kind.changes?.list(storage, entry)) ?? []
        const requiresSetup = setupGaps(drafts)
        const problems = source.problems?.() ?? []
        const found = { requiresSetup, ...(ofKind ?? status) }
        return { kind, entry, source, drafts, status: found, changed, problems }
      }),
    ),
  )
}

/** What the tools themselves say they lack. A changed tool is reported as such. */
function setupGaps(drafts: readonly ToolDraft[]): SetupGap[] {
  const counts = new Map<string, number>()
  for (const { availability } of drafts) {
    const problem = setupProblemOf(availability)
    if (!problem || problem.code === 'toolcrib.tool_changed') continue
    counts.set(problem.message, (counts.get(problem.message) ?? 0) + 1)
  }
  return [...counts].map(([message, tools]) => ({ tools, message }))
}

async function listOnce(
  source: Source,
  { storage, over }: { storage: SourceStorage; over: AbortSignal },
): Promise<Pick<InspectedSource, 'drafts' | 'status'>> {
  const { name } = source
  const listed = async (): Promise<readonly ToolDraft[]> => {
    await source.open?.(storage)
    return source.list(over)
  }
  try {
    const drafts = await Promise.race([listed(), expired(over)])
    if (!drafts) return { drafts: [], status: { name, state: 'connecting', tools: 0 } }
    return { drafts, status: { name, state: 'ready', tools: drafts.length } }
  } catch (error) {
    const problem = errorMessage(error)
    return { drafts: [], status: { name, state: 'failed', tools: 0, problem, nextRetryAt: undefined } }
  }
}

/** Resolves to undefined when the time is over. */
async function expired(over: AbortSignal): Promise<undefined> {
  if (over.aborted) return
  await new Promise((resolve) => over.addEventListener('abort', resolve, { once: true }))
  // An aborted list fails at the same moment, with the reason.
  await sleep(0)
}

async function closeOthers(opened: OpenedSources): Promise<void> {
  for (const { opened: made } of otherKinds(opened)) {
    await Promise.allSettled(made.sources.map(async (source) => source.close?.()))
    await made.close?.()
  }
}

type InspectedMcp = Pick<McpServers, 'settled' | 'close' | 'sources'> & {
  readonly servers: readonly SeenServer[]
}

/** The servers of another process. This process connects to none of them. */
async function fromSnapshots(
  { mcp, servers: settings }: OpenedMcp,
  snapshots: readonly ServerSnapshot[],
): Promise<InspectedMcp> {
  const { serverFromSnapshot } = await import('../../sources/mcp/servers/server-snapshot.js')
  const names = new Set(mcp!.servers.map(({ name }) => name))
  const servers = snapshots
    .filter(({ name }) => names.has(name))
    .map((snapshot) => serverFromSnapshot(snapshot, settings[snapshot.name]!))
  const sources = servers.map(({ source }) => source)
  return {
    servers,
    sources,
    settled: async () => {},
    async close() {
      for (const source of sources) await source.close?.()
    },
  }
}

/** Storage in memory for an inspection without a record. */
function temporaryStorage(tenant: string): SourceStorage {
  const written = new Map<string, { value: unknown }>()
  return {
    tenant,
    read: async (kind, id) => written.get(`${kind}\n${id}`),
    async update(kind, id, change) {
      const key = `${kind}\n${id}`
      for (;;) {
        const found = written.get(key)
        const changed = await change(found)
        if (!('value' in changed)) return changed.result
        // A concurrent update may have changed the value meanwhile.
        if (written.get(key) !== found) continue
        written.set(key, { value: changed.value })
        return changed.result
      }
    },
    watch: () => () => {},
  }
}
