import { setTimeout as sleep } from 'node:timers/promises'
import { createJournal } from '../../storage/journal/journal.js'
import type { ToolDraft } from '../../catalog/tool-draft.js'
import type { OpenedKind, SourceKind, SourceProblem } from '../../sources/kind.js'
import { sourceKinds } from '../../sources/kinds.js'
import { mcpKind, type OpenedMcp } from '../../sources/mcp/mcp-kind.js'
import type { McpServers } from '../../sources/mcp/mcp-server.js'
import type { ServerSnapshot, SeenServer } from '../../sources/mcp/servers/server-snapshot.js'
import type { Source, SourceStatus, SourceStorage } from '../../sources/source.js'
import { hasRecord } from '../../storage/has-record.js'
import { openStore } from '../../storage/open-store.js'
import { configuredStore } from '../stores/configured-store.js'
import { slowServersIn } from '../serving/slow-servers.js'
import type { CribSettings } from '../crib-settings.js'
import { temporaryStorage } from './temporary-storage.js'
import { sourceStorage } from '../../crib/catalog/source-storage.js'
import {
  openConfiguredSources,
  type OpenedSources,
  type OpenSourcesOptions,
} from './open-configured-sources.js'

export interface InspectOptions extends OpenSourcesOptions {
  /** What needs longer is looked at as it then is. */
  waitMs: number
  /** Instead of what the config says. */
  store?: string | undefined
  /** How the servers are in a process that runs them already; nothing where there is none. */
  running?: (() => Promise<readonly ServerSnapshot[] | undefined>) | undefined
}

export interface InspectedServers {
  /** MCP servers, of which more is known than of any source. */
  servers: readonly SeenServer[]
  /** The sources of all other kinds. */
  others: readonly SeenSource[]
  problems: readonly SourceProblem[]
  secrets: readonly string[]
  /** Servers that a gateway waits for only briefly, because they did not answer in an earlier start. */
  slow: ReadonlySet<string>
}

/** A source as it was found. */
export interface SeenSource {
  readonly kind: SourceKind
  readonly source: Source
  readonly drafts: readonly ToolDraft[]
  readonly status: SourceStatus
}

/**
 * Looks at the servers of a config in the process that runs them, or else opens the sources of a config, without a crib,
 * for as long as somebody looks at them. What they list is kept where there is a record, so that a tool that changed waits
 * to be accepted whoever saw it first; no record is made for it.
 */
export async function lookAtSources<Seen>(
  settings: CribSettings,
  { waitMs, store: given, running, ...options }: InspectOptions,
  see: (looked: InspectedServers) => Promise<Seen>,
): Promise<Seen> {
  const opened = await openConfiguredSources(settings, options)
  const { problems, secrets, live } = opened
  const ofMcp = opened.of(mcpKind)
  const snapshots = ofMcp?.mcp && (await running?.())
  const mcp = snapshots ? await lookElsewhere(ofMcp!, snapshots) : ofMcp?.mcp
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
    const others = seeOthers(opened, { storage, waitMs })
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

function seeOthers(
  opened: OpenedSources,
  { storage, waitMs }: { storage: SourceStorage; waitMs: number },
): Promise<SeenSource[]> {
  const over = AbortSignal.timeout(waitMs)
  return Promise.all(
    otherKinds(opened).flatMap(({ kind, opened: made }) =>
      made.sources.map(async (source) => {
        const { drafts, status } = await listOnce(source, { storage, over })
        const said = made.status?.().find(({ name }) => name === source.name)
        return { kind, source, drafts, status: said ?? status }
      }),
    ),
  )
}

async function listOnce(
  source: Source,
  { storage, over }: { storage: SourceStorage; over: AbortSignal },
): Promise<Pick<SeenSource, 'drafts' | 'status'>> {
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
    const problem = error instanceof Error ? error.message : String(error)
    return { drafts: [], status: { name, state: 'failed', tools: 0, problem, nextRetryAt: undefined } }
  }
}

/** Resolves with nothing when the time is over. */
async function expired(over: AbortSignal): Promise<undefined> {
  if (over.aborted) return
  await new Promise((resolve) => over.addEventListener('abort', resolve, { once: true }))
  // A list that is given up fails at the same moment, and says why.
  await sleep(0)
}

async function closeOthers(opened: OpenedSources): Promise<void> {
  for (const { opened: made } of otherKinds(opened)) {
    await Promise.allSettled(made.sources.map(async (source) => source.close?.()))
    await made.close?.()
  }
}

type Looked = Pick<McpServers, 'settled' | 'close' | 'sources'> & { readonly servers: readonly SeenServer[] }

/** The servers of another process. Nothing was connected to here, and nothing is. */
async function lookElsewhere(
  { mcp, servers: settings }: OpenedMcp,
  snapshots: readonly ServerSnapshot[],
): Promise<Looked> {
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
