import { setTimeout as sleep } from 'node:timers/promises'
import { errorMessage } from '../../platform/text/error-message.js'
import { createJournal } from '../../storage/journal/journal.js'
import type { ToolDraft } from '../../catalog/tool-draft.js'
import type { ChangedTool } from '../../sources/changes/source-changes.js'
import type { OpenedKind, SourceKind, SourceSnapshot } from '../../sources/kind.js'
import { sourceKinds } from '../../sources/kinds.js'
import { setupGaps } from '../../sources/setup-gaps.js'
import type { Source, SourceStatus, SourceStorage } from '../../sources/source.js'
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
  /** The state of the sources in a process that runs them already; undefined where there is none. */
  running?: (() => Promise<readonly SourceSnapshot[] | undefined>) | undefined
}

export interface InspectedSources {
  /** The sources of all kinds, in the order of the kinds. */
  sources: readonly InspectedSource[]
  /** What a kind opened, for commands that know more about that kind. */
  of: OpenedSources['of']
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
 * Inspects the sources of a config in the process that runs them, where a kind can be asked there. It opens the others
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
  const kinds = await kindsIn(opened, running)
  const of = <Opened extends OpenedKind>(kind: SourceKind<Opened>) => kinds.get(kind) as Opened | undefined
  if (opened.sources.length === 0) return see({ sources: [], of, problems, secrets, slow: new Set() })
  const named = openStore(configuredStore(settings, given))
  const store = hasRecord(named) ? named : undefined
  const journal = store && createJournal({ store })
  try {
    await store?.open()
    const tenant = settings.config.tenant ?? 'default'
    const storage = journal
      ? sourceStorage(journal, { tenant, now: () => journal.store.now() })
      : temporaryStorage(tenant)
    const over = AbortSignal.timeout(waitMs)
    const found = await Promise.all(
      [...kinds].map(([kind, made]) => inspectKind(kind, made, { storage, waitMs, over })),
    )
    return await see({
      sources: found.flat(),
      of,
      problems,
      secrets: [...secrets, ...live.list],
      slow: store ? await slowServersIn(store, opened.startDigests()) : new Set<string>(),
    })
  } finally {
    await Promise.all([...kinds.values()].map(closeKind))
    await journal?.durable()
    await store?.close()
  }
}

/** What each kind opened, or its sources in the process that runs them. */
async function kindsIn(
  opened: OpenedSources,
  running: InspectOptions['running'],
): Promise<Map<SourceKind, OpenedKind>> {
  const kinds = new Map<SourceKind, OpenedKind>()
  for (const kind of sourceKinds()) {
    const made = opened.of(kind)
    if (made) kinds.set(kind, made)
  }
  const askable = [...kinds].filter(([, made]) => made.fromSnapshots)
  const snapshots = askable.length > 0 ? await running?.() : undefined
  for (const [kind, made] of snapshots ? askable : []) kinds.set(kind, await made.fromSnapshots!(snapshots!))
  return kinds
}

interface Looking {
  readonly storage: SourceStorage
  readonly waitMs: number
  readonly over: AbortSignal
}

async function inspectKind(kind: SourceKind, made: OpenedKind, looking: Looking): Promise<InspectedSource[]> {
  const { storage } = looking
  const list = made.status ? await settledLists(made, looking) : (source: Source) => listOnce(source, looking)
  return Promise.all(
    made.sources.map(async (source) => {
      const entry = source.entry ?? source.name
      const { drafts, status } = await list(source)
      const changed = (await kind.changes?.list(storage, entry)) ?? []
      const problems = source.problems?.() ?? []
      const found = { requiresSetup: setupGaps(drafts), ...status }
      return { kind, entry, source, drafts, status: found, changed, problems }
    }),
  )
}

type Listing = Pick<InspectedSource, 'drafts' | 'status'>

/** A kind with a status waits for its sources itself; the lists are those that it then has. */
async function settledLists(
  made: OpenedKind,
  { storage, waitMs }: Looking,
): Promise<(source: Source) => Promise<Listing>> {
  for (const source of made.sources) await source.open?.(storage)
  await made.settled?.(waitMs)
  const { signal } = new AbortController()
  return async (source) => {
    const drafts = await source.list(signal)
    return { drafts, status: made.status!().find(({ name }) => name === source.name)! }
  }
}

async function listOnce(source: Source, { storage, over }: Looking): Promise<Listing> {
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

async function closeKind(made: OpenedKind): Promise<void> {
  await Promise.allSettled(made.sources.map(async (source) => source.close?.()))
  await made.close?.()
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
