import type { ToolSurface } from '../foundation/contract/objects/tool-surface.js'
import type { Journal, StreamEntry } from '../foundation/events/journal.js'
import type { Catalog } from '../supply/catalog/catalog.js'
import type { CatalogTool } from '../supply/catalog/catalog-tool.js'
import { buildSurface, type BuiltSurface, type Denies } from '../supply/surface/build-surface.js'
import { checkSurfaceRequest, type SurfaceRequest } from '../supply/surface/surface-request.js'
import type { Redactor } from '../foundation/redaction/redactor.js'
import { toSurfaceRecord, type SurfaceIdentity } from '../supply/surface/to-surface-record.js'

/** What one caller sees now. It is built again when the catalog or what was asked for changes. */
export interface Surface {
  readonly id: string
  readonly request: SurfaceRequest
  /** As it is stored. Long lists are told by counts; `fullRecord` has them all. */
  readonly record: ToolSurface
  fullRecord(): ToolSurface
  /** The tools whose schemas are visible, always in the same order. */
  tools(): readonly CatalogTool[]
  /** Changes what decides the surface; it keeps its id. */
  update(changes: Partial<SurfaceRequest>): Promise<Surface>
  /** For the pipeline: the surface at the catalog's present revision. */
  current(): BuiltSurface
}

const PRODUCER = 'toolcrib'

export interface SurfaceMaker {
  catalog: Catalog
  journal: Journal
  now: () => number
  denies: Denies
  /** Changes when a rule does: what is hidden may then be another. */
  policyRevision: () => string
  /** Told before a surface is asked for something else. */
  onRequest?(request: SurfaceRequest): Promise<void>
  redactor: Redactor
}

export function createSurface(
  { catalog, journal, now, denies, policyRevision, onRequest, redactor }: SurfaceMaker,
  id: string,
  given: SurfaceRequest,
): Surface {
  const request = withCleanWords(given, redactor)
  const tenant = request.tenant!
  const stream: StreamEntry = { tenant, stream: id, sequence: 0 }
  const identity: SurfaceIdentity = { surfaceId: id, producer: PRODUCER, revision: 1, createdAt: now() }
  let asked = request
  let built = buildSurface(catalog, asked, denies)
  let builtUnder = policyRevision()
  let record = toSurfaceRecord(built, identity)
  write('tool.surface.created')

  function write(type: 'tool.surface.created' | 'tool.surface.updated'): void {
    journal.append(stream, [{ type, at: now(), data: { surface: record } }])
    keep()
  }

  // The document is a convenience over the events; a store that fails now fails the next call, which says so.
  function keep(): void {
    journal
      .put({ tenant, kind: 'surface', id, updatedAt: now(), value: { record, request: asked } })
      .catch(() => {})
  }

  function rebuild(): void {
    const before = built
    built = buildSurface(catalog, asked, denies)
    builtUnder = policyRevision()
    identity.revision++
    record = toSurfaceRecord(built, identity, { before })
    write('tool.surface.updated')
  }

  function current(): BuiltSurface {
    if (built.catalogRevision !== catalog.revision || builtUnder !== policyRevision()) rebuild()
    return built
  }

  const surface: Surface = {
    id,
    get request() {
      return asked
    },
    get record() {
      current()
      return record
    },
    fullRecord: () => toSurfaceRecord(current(), identity, { full: true }),
    tools: () => current().loaded,
    async update(changes) {
      const next = withCleanWords({ ...asked, ...changes, tenant }, redactor)
      checkSurfaceRequest(next)
      await onRequest?.(next)
      asked = next
      rebuild()
      return surface
    },
    current,
  }
  return surface
}

/** What decides nothing and is kept with everything else. */
function withCleanWords(request: SurfaceRequest, redactor: Redactor): SurfaceRequest {
  const { reason, runtimeRefs, policyRefs } = request
  return {
    ...request,
    ...(reason !== undefined && { reason: redactor.text(reason) }),
    ...(runtimeRefs && { runtimeRefs: redactor.value(runtimeRefs) }),
    ...(policyRefs && { policyRefs: redactor.value(policyRefs) }),
  }
}
