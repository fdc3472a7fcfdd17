import type { ToolDraft } from '../../catalog/tool-draft.js'
import { createLiveSecrets, type LiveSecrets } from '../../redaction/live-secrets.js'
import { withTimeLimit } from '../../platform/async/with-time-limit.js'
import { errorMessage } from '../../platform/text/error-message.js'
import { createListChanges } from '../changes/list-changes.js'
import type { Source, SourceStorage } from '../source.js'
import { DEFAULT_POLL_MS, type ApiSettings } from './api-settings.js'
import { whyUnusable } from './check-settings.js'
import {
  compareOperations,
  isLastCompared,
  STATE_KIND,
  type ComparedOperations,
} from './changes/accepted-operations.js'
import type { CachedDocument } from './compiled-cache.js'
import { documentOrigin } from './document/document-origin.js'
import { followDocument } from './document/follow-document.js'
import { lastCompiled, loadApi } from './load-api.js'
import type { CompiledDocument } from './compiled.js'
import { applySettings } from './operations/apply-settings.js'
import { misspelled } from './operations/misspelled.js'
import { selectOperations } from './operations/select-operations.js'
import { createApiTools, type ApiTools } from './operations/api-tools.js'

export interface OpenapiSourceOptions extends ApiSettings {
  /** The name of the API: its tools are `api.<name>.<operation>`. */
  readonly name: string
  /** The base of a relative path of the document; the working folder by default. */
  readonly folder?: string | undefined
  /** Compiled documents are kept here. Absent: they are compiled at each start. */
  readonly cacheFolder?: string | undefined
  readonly env?: NodeJS.ProcessEnv | undefined
  /** Secrets in use are added here, so that they are masked everywhere. */
  readonly secrets?: LiveSecrets | undefined
  /** Receives problems that no caller waits for. */
  onProblem?(message: string): void
}

/** How long a start waits for a document, where an old one is there. */
const PATIENCE_MS = 3_000

/** The operations of an OpenAPI document as tools. Throws a TypeError where the settings cannot be used. */
export function openapiSource(options: OpenapiSourceOptions): Source {
  const { name, folder = process.cwd(), cacheFolder, env = process.env, onProblem = () => {} } = options
  const { pollMs = DEFAULT_POLL_MS } = options
  const why = whyUnusable(options)
  if (why !== undefined) throw new TypeError(`The API "${name}" cannot be opened: ${why}`)
  const origin = documentOrigin(options.document, { folder })
  const ending = new AbortController()
  const changes = createListChanges({ stateKind: STATE_KIND, load: refreshOnce })
  const tools: ApiTools = createApiTools({
    api: name,
    settings: options,
    address: origin.address,
    env,
    live: options.secrets ?? createLiveSecrets(),
    hidesOwnSecrets: options.secrets === undefined,
    beforeCall: acceptUsed,
    onProblem,
  })
  const following = followDocument({ origin, pollMs, signal: ending.signal, onChange: changes.refresh })
  let storage: SourceStorage | undefined
  let document: CachedDocument | undefined
  /** Whether the address has confirmed the document in this run. */
  let isCurrent = false
  /** A document whose operations are usable although the store has not accepted them. */
  let provisional: CachedDocument | undefined
  let hasListed = false

  async function load(signal: AbortSignal): Promise<CachedDocument> {
    const anyEnd = AbortSignal.any([signal, ending.signal])
    try {
      return await loadApi({ origin, cacheFolder, signal: anyEnd, last: document })
    } catch (error) {
      throw new Error(`The document of the API "${name}" cannot be used: ${errorMessage(error)}.`, {
        cause: error,
      })
    }
  }

  /** An address may be slow or gone: the last document serves until it has answered. */
  async function first(signal: AbortSignal): Promise<CachedDocument> {
    const last = origin.path === undefined ? await lastCompiled({ origin, cacheFolder }) : undefined
    if (!last) {
      const loaded = await load(signal)
      isCurrent = true
      return loaded
    }
    document = last.document
    const refreshed = changes.refresh()
    const isOld = pollMs > 0 && Date.now() - last.confirmedAt > pollMs
    // Other stores share the cache: this one may never have seen what they loaded.
    const isOther =
      storage !== undefined && !(await isLastCompared(storage, { entry: name, document: last.document }))
    if (isOld || isOther) await withTimeLimit(refreshed, PATIENCE_MS)
    return document
  }

  /** Reports a list only where the document is another one, or can now be accepted. Never rejects. */
  async function refreshOnce(): Promise<void> {
    try {
      const next = await load(ending.signal)
      const isSame = next.digest === document?.digest
      document = next
      isCurrent = true
      if (!isSame || provisional) changes.report()
    } catch (error) {
      if (!ending.signal.aborted) onProblem((error as Error).message)
    }
  }

  async function listTools(signal: AbortSignal): Promise<readonly ToolDraft[]> {
    document ??= await first(signal)
    const { compiled } = document
    // Not later: tools that have vanished must not stay because of it.
    if (!hasListed) checkIncluded(compiled)
    hasListed = true
    if (!storage) return tools.drafts(compiled, new Map())
    const compared = document
    const { operations, changed, isProvisional } = await compare(storage, { with: compared, isCurrent })
    // The address may have answered meanwhile.
    if (isProvisional && isCurrent) return listTools(signal)
    provisional = isProvisional ? compared : undefined
    changes.watchAccepting(storage, changed.size > 0)
    return tools.drafts({ ...compiled, operations }, changed)
  }

  function compare(
    within: SourceStorage,
    { with: compared, isCurrent: mayAccept }: { with: CachedDocument; isCurrent: boolean },
  ): Promise<ComparedOperations> {
    return compareOperations(within, {
      entry: name,
      document: compared,
      isCurrent: mayAccept,
      toolName: (operation) => applySettings(operation, options).name,
    })
  }

  /** Whoever calls an operation relies on the document that it is from: from then on another one is a change. */
  async function acceptUsed(): Promise<void> {
    const used = provisional
    if (!storage || !used) return
    await compare(storage, { with: used, isCurrent: true })
    provisional = undefined
    // What was compared last is stored: the list of another document comes after it.
    if (document !== used) changes.report()
  }

  function checkIncluded(compiled: CompiledDocument): void {
    const { include = [] } = options
    if (include.length === 0 || selectOperations(compiled.operations, { include }).length > 0) return
    throw new Error(misspelled(compiled, { api: name, settings: { include } }).join(' '))
  }

  return {
    name: `openapi:${name}`,
    entry: name,
    async open(opened) {
      storage = opened
    },
    async list(signal) {
      try {
        return await listTools(signal)
      } finally {
        // Also after a failure: the document may be corrected.
        following.follow(document)
      }
    },
    watch: changes.watch,
    async close() {
      ending.abort()
      await changes.close()
      await tools.close()
    },
  }
}
