import type { Redactor } from '../../redaction/redactor.js'
import type { SourceStatus } from '../../sources/source.js'
import type { EventDraft } from '../../storage/event-list.js'
import type { ClosingPort, CribModule } from '../assemble.js'
import type { Crib } from '../crib.js'
import type { OptionsPort, RecordPort } from '../record-module.js'
import type { PolicyPort } from '../policy/policy-module.js'
import type { CatalogPort } from './catalog-module.js'
import { createSources, type OpenSources } from './create-sources.js'
import { sourceStorage } from './source-storage.js'

export interface SourcesPort {
  readonly sources: Pick<OpenSources, 'pending'> & {
    /** Calls back after each list of a source that was added to the catalog. */
    onListed(listener: () => void): void
  }
}

type SourcesApi = Pick<Crib, 'replaceSources' | 'pendingProviders' | 'sources' | 'caughtUp'>

/** The sources of tools: opened in parallel, followed, and closed when no call needs them. */
export function openSources({
  options,
  tenant,
  journal,
  redactor,
  now,
  writer,
  agents,
  catalogStream,
  checkOpen,
  protectedPaths,
}: OptionsPort & ClosingPort & RecordPort & CatalogPort & PolicyPort): CribModule<SourcesPort, SourcesApi> {
  const listeners: (() => void)[] = []
  const sources = createSources({
    writer,
    agents,
    storage: sourceStorage(journal, { tenant, now, redactor, protectedPaths }),
    now,
    onListed() {
      for (const listener of listeners) listener()
    },
    onStatus(status) {
      journal.append(catalogStream, [sourceEvent(status, redactor, now())])
      options.onSource?.(cleanStatus(status, redactor))
    },
  })
  return {
    port: { sources: { pending: sources.pending, onListed: (listener) => void listeners.push(listener) } },
    api: {
      async replaceSources(next) {
        checkOpen()
        await sources.replace(next)
      },
      pendingProviders: sources.pending,
      sources: () => sources.status().map((status) => cleanStatus(status, redactor)),
      caughtUp: sources.caughtUp,
    },
    start: () => sources.open(options.sources ?? []),
    stop: sources.close,
  }
}

/** The event of a source that started to fail, or has recovered. */
function sourceEvent(status: SourceStatus, redactor: Redactor, at: number): EventDraft {
  const { name: source, tools } = status
  if (status.state !== 'failed') return { type: 'toolcrib.source.recovered', at, data: { source, tools } }
  const { problem } = cleanStatus(status, redactor)
  return { type: 'toolcrib.source.failed', at, data: { source, tools, message: problem } }
}

/** Error messages contain addresses and commands, which may contain credentials. */
function cleanStatus<Status extends SourceStatus>(status: Status, redactor: Redactor): Status {
  return status.state === 'failed' ? { ...status, problem: redactor.text(status.problem) } : status
}
