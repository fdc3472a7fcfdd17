import type { PipelinePorts } from '../../pipeline/call-run.js'
import { createArtifacts } from '../../results/artifacts/artifacts.js'
import { checkReadRequest } from '../../results/read-back/check-read-request.js'
import { createPayloads } from '../../results/payloads/payloads.js'
import type { Journal } from '../../storage/journal/journal.js'
import { checkOptions, type OptionKind } from '../../platform/validation/check-options.js'
import type { ApprovalKeys } from '../../approvals/derive-keys.js'
import type { Crib, CribOptions, ReadRefOptions } from '../crib.js'
import { lazyBlobs } from './open-blobs.js'
import { createRefReader } from './read-refs.js'
import { createReadTool, type ReadToolModule } from './result-read-module.js'
import type { CatalogWriter } from '../catalog/catalog-writer.js'
import { createSweep } from './sweep-module.js'

/** Everything that is kept by reference: where it goes, who reads it, how long it stays. */
export interface ResultsModule {
  readonly port: Pick<PipelinePorts, 'payloads' | 'artifacts' | 'refs'>
  readonly api: Pick<Crib, 'read' | 'sweep'>
  /** Where its files are, or would be. */
  readonly location: string
  /** Once there are tools: offers the one that reads, and sweeps from time to time. */
  start(writer: CatalogWriter): Promise<void>
  /** Sweeps no more. */
  stop(): void
  close(): Promise<void>
}

export interface ResultsParts {
  journal: Journal
  keys(): ApprovalKeys
  now(): number
  nextArtifactId(): string
  tenant: string
  resolveRef: Crib['resolveRef']
}

const DEFAULT_PAGE_CHARS = 20_000

const READ_OPTIONS = {
  actor: 'text',
  tenant: 'text',
  maxChars: 'positive',
} as const satisfies Record<keyof ReadRefOptions, OptionKind>

export function createResults(
  { blobs: given, results = {}, redaction = {}, actor: caller }: CribOptions,
  { journal, keys, now, nextArtifactId, tenant, resolveRef }: ResultsParts,
): ResultsModule {
  const { store } = journal
  let readTool: ReadToolModule | undefined
  const blobs = lazyBlobs(store, given, {
    maxBytes: results.maxBytes,
    // What is over its time goes before something new is refused.
    makeRoom: async (where) => void (await sweeper.sweep(where)),
  })
  const sweeper = createSweep({ journal, blobs, now })
  const sealKey = (): Uint8Array => keys().blobs
  const payloads = createPayloads({
    blobs: blobs.open,
    journal,
    now,
    retention: results.retainDays ?? {},
    onKept: async () => readTool?.offer(),
    sealKey,
  })
  const artifacts = createArtifacts({ journal, payloads, now, nextId: nextArtifactId })
  const refs = createRefReader({
    payloads,
    readers: redaction.readers ?? [],
    artifacts,
    now,
    sealKey,
    resolve: (ref, where) => resolveRef(ref, { tenant: where }),
  })
  return {
    port: { payloads, artifacts, refs },
    api: {
      async read(ref, request = { by: 'lines' }, options = {}) {
        checkReadRequest('crib.read', request)
        checkOptions('crib.read, options', options, READ_OPTIONS)
        const { actor, tenant: where, maxChars } = options
        return refs.read(uriOf(ref), request, {
          who: { tenant: where ?? tenant, actor: actor ?? caller, mayReadResults: true },
          maxChars: maxChars ?? DEFAULT_PAGE_CHARS,
        })
      },
      sweep: ({ tenant: where } = {}) => sweeper.sweep(where ?? tenant),
    },
    location: blobs.location,
    async start(writer) {
      readTool = createReadTool({ writer, journal, wanted: results.readTool, now })
      await readTool.offerAtStart()
      if (!store.isEphemeral) sweeper.start(tenant)
    },
    stop: () => sweeper.stop(),
    async close() {
      await refs.close()
      await blobs.close()
    },
  }
}

/** What to read: a ref as a text, or the ref object of a result. */
function uriOf(ref: unknown): string {
  const uri = typeof ref === 'object' && ref !== null ? Reflect.get(ref, 'uri') : ref
  // One of ours that leads nowhere is told so by the reader, with its code.
  if (typeof uri === 'string' && uri.startsWith('toolcrib://')) return uri
  const given =
    typeof uri === 'string' ? `"${uri.slice(0, 100)}"` : uri === undefined ? 'nothing' : typeof uri
  throw new TypeError(
    `crib.read takes a ref such as toolcrib://invocations/inv_…/output, or result.persisted_payload_ref; not ${given}.`,
  )
}
