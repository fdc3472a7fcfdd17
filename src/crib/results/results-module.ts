import type { PipelinePorts } from '../../pipeline/ports.js'
import { createArtifacts } from '../../results/artifacts/artifacts.js'
import { checkReadRequest } from '../../results/read-back/check-read-request.js'
import { createPayloads } from '../../results/payloads/payloads.js'
import { checkOptions, type OptionKind } from '../../platform/validation/check-options.js'
import type { CribModule } from '../assemble.js'
import type { CatalogPort } from '../catalog/catalog-module.js'
import type { Crib, ReadRefOptions } from '../crib.js'
import type { QueriesPort } from '../queries/queries-module.js'
import type { OptionsPort, RecordPort } from '../record-module.js'
import type { BlobsPort } from './blobs-module.js'
import { createRefReader } from './read-refs.js'
import { createReadTool } from './offer-read-tool.js'

export type ResultsPort = Pick<PipelinePorts, 'payloads' | 'artifacts' | 'refs'>

const DEFAULT_PAGE_CHARS = 20_000

const READ_OPTIONS = {
  actor: 'text',
  tenant: 'text',
  maxChars: 'positive',
} as const satisfies Record<keyof ReadRefOptions, OptionKind>

/** Results and deliverables that are stored by reference: who reads them, and how long they are stored. */
export function openResults({
  options: { results = {}, redaction = {}, actor: caller },
  tenant,
  journal,
  ids,
  keys,
  now,
  blobs,
  sweeper,
  writer,
  queries,
}: OptionsPort & RecordPort & BlobsPort & CatalogPort & QueriesPort): CribModule<
  ResultsPort,
  Pick<Crib, 'read' | 'sweep'>
> {
  const readTool = createReadTool({ writer, journal, wanted: results.readTool, now })
  const sealKey = (): Uint8Array => keys().blobs
  const payloads = createPayloads({
    blobs: blobs.open,
    journal,
    now,
    retention: results.retainDays ?? {},
    onKept: () => readTool.offer(),
    sealKey,
  })
  const artifacts = createArtifacts({ journal, payloads, now, nextId: () => ids.next('art', now()) })
  const refs = createRefReader({
    payloads,
    readers: redaction.readers ?? [],
    artifacts,
    now,
    sealKey,
    resolve: (ref, where) => queries.resolveRef(ref, { tenant: where }),
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
    async start() {
      await readTool.offerAtStart()
      if (!journal.store.isEphemeral) sweeper.start(tenant)
    },
    async stop() {
      sweeper.stop()
      await refs.close()
    },
  }
}

/** What to read: a ref as a text, or the ref object of a result. */
function uriOf(ref: unknown): string {
  const uri = typeof ref === 'object' && ref !== null ? Reflect.get(ref, 'uri') : ref
  // The reader reports an unknown Toolcrib ref with its own code.
  if (typeof uri === 'string' && uri.startsWith('toolcrib://')) return uri
  const given =
    typeof uri === 'string' ? `"${uri.slice(0, 100)}"` : uri === undefined ? 'nothing' : typeof uri
  throw new TypeError(
    `crib.read takes a ref such as toolcrib://invocations/inv_…/output, or result.persisted_payload_ref; not ${given}.`,
  )
}
