import { pathToFileURL } from 'node:url'
import { addHandOff } from '../../results/artifacts/artifacts.js'
import { versionOf } from '../../results/artifacts/artifact-ref.js'
import { isExpired } from '../../results/payloads/payload-record.js'
import type {
  ArtifactExportRef,
  ArtifactHandOffRef,
  ArtifactVersion,
  ToolcribArtifact,
} from '../../contract/objects/toolcrib-artifact.js'
import type { EventClass } from '../../contract/unions.js'
import type { StreamEntry } from '../../storage/journal/journal.js'
import { isMissingBlob } from '../../storage/blobs/blob-error.js'
import { checkOptions, type OptionKind } from '../../platform/validation/check-options.js'
import type { CribModule } from '../assemble.js'
import type { CatalogPort } from '../catalog/catalog-module.js'
import type { Crib } from '../crib.js'
import type { PolicyPort } from '../policy/policy-module.js'
import type { OptionsPort, RecordPort } from '../record-module.js'
import type { OwnerPort } from '../recovery/owner-module.js'
import type { ResultsPort } from '../results/results-module.js'
import { artifactError } from './artifact-error.js'
import { exportFile } from './export-file.js'
import type { ArtifactsQuery, ExportOptions, HandOffOptions, RemoveOptions } from './artifacts-options.js'

const QUERY = {
  tool: 'text',
  session: 'text',
  name: 'text',
  since: 'any',
  tenant: 'text',
} as const satisfies Record<keyof ArtifactsQuery, OptionKind>
const EXPORT = {
  to: 'text',
  version: 'positive',
  overwrite: 'boolean',
  by: 'text',
  tenant: 'text',
} as const satisfies Record<keyof ExportOptions, OptionKind>
const HAND_OFF = {
  to: 'text',
  purpose: 'text',
  version: 'positive',
  by: 'text',
  tenant: 'text',
} as const satisfies Record<keyof HandOffOptions, OptionKind>
const REMOVE = { by: 'text', tenant: 'text' } as const satisfies Record<keyof RemoveOptions, OptionKind>

type ArtifactsApi = Pick<
  Crib,
  'artifacts' | 'artifact' | 'exportArtifact' | 'handOffArtifact' | 'removeArtifact'
>

/** The deliverables that calls made: listed, exported, handed off and removed. */
export function openArtifacts(
  ports: OptionsPort & RecordPort & OwnerPort & CatalogPort & PolicyPort & ResultsPort,
): CribModule<object, ArtifactsApi> {
  const { artifacts, payloads, journal, catalog, redactor, now, ownerId, protectedPaths } = ports
  const home = { tenant: ports.tenant, actor: ports.options.actor }
  /** Events about artifacts outside calls, by tenant. No other process writes to these streams. */
  const streams = new Map<string, StreamEntry>()

  async function record(type: EventClass, tenant: string, data: object): Promise<void> {
    let stream = streams.get(tenant)
    if (!stream) streams.set(tenant, (stream = { tenant, stream: `artifacts_${ownerId}`, sequence: 0 }))
    journal.append(stream, [{ type, at: now(), data }])
    await journal.durable()
  }

  async function locate(
    artifactId: string,
    { tenant, version }: { tenant: string; version: number | undefined },
  ): Promise<{ artifact: ToolcribArtifact; found: ArtifactVersion }> {
    const artifact = await artifacts.find(tenant, artifactId)
    if (!artifact) throw artifactError('toolcrib.artifact_unknown', `There is no artifact ${artifactId}.`)
    if (artifact.removed_at !== undefined)
      throw artifactError(
        'toolcrib.artifact_gone',
        `${artifactId} was removed on ${artifact.removed_at}; only its record is left.`,
      )
    const found = versionOf(artifact, { version, handOff: undefined })
    if (!found)
      throw artifactError(
        'toolcrib.artifact_unknown',
        `${artifactId} has no version ${version}; it has ${artifact.versions.length}.`,
      )
    return { artifact, found }
  }

  const api: ArtifactsApi = {
    async *artifacts(query = {}) {
      checkOptions('A query for artifacts', query, QUERY)
      const tool = query.tool === undefined ? undefined : (catalog.find(query.tool)?.toolId ?? query.tool)
      const since = query.since === undefined ? undefined : new Date(query.since).toISOString()
      for await (const artifact of artifacts.list(query.tenant ?? home.tenant)) {
        if (artifact.removed_at === undefined && matches(artifact, { ...query, tool, since })) yield artifact
      }
    },
    artifact: (artifactId, { tenant } = {}) => artifacts.find(tenant ?? home.tenant, artifactId),
    async exportArtifact(artifactId, options) {
      checkOptions('exportArtifact', options, EXPORT)
      const { to, version, overwrite = false, by = home.actor, tenant = home.tenant } = options
      if (!to) throw new TypeError('exportArtifact needs a "to": the file to write.')
      const { found } = await locate(artifactId, { tenant, version })
      const payload = await payloads.find(tenant, found.uri)
      if (!payload || isExpired(payload, now())) throw gone(artifactId)
      const blobs = await payloads.blobs()
      const path = await orGone(artifactId, () =>
        exportFile(blobs.read(tenant, found.digest, { verify: true }), {
          to,
          overwrite,
          protectedPaths: protectedPaths,
        }),
      )
      const exported: ArtifactExportRef = {
        uri: pathToFileURL(path).href,
        at: new Date(now()).toISOString(),
        version: found.version,
        digest: found.digest,
        ...(by !== undefined && { by: redactor.text(by) }),
      }
      await artifacts.change({ tenant, artifactId }, (artifact) => ({
        ...artifact,
        updated_at: exported.at,
        export_refs: [...artifact.export_refs, exported],
      }))
      await record('toolcrib.artifact.exported', tenant, { artifact_id: artifactId, ...exported })
      return exported
    },
    async handOffArtifact(artifactId, options) {
      checkOptions('handOffArtifact', options, HAND_OFF)
      const { to, version, tenant = home.tenant } = options
      if (!to) throw new TypeError('handOffArtifact needs a "to": who is to take it up.')
      const { found } = await locate(artifactId, { tenant, version })
      // People type these texts, and may type passwords.
      const words = redactor.value({ to, purpose: options.purpose, by: options.by ?? home.actor })
      const changed = await artifacts.change({ tenant, artifactId }, (artifact, at) =>
        addHandOff(artifact, { ...words, version: found.version, at }),
      )
      const handed: ArtifactHandOffRef = changed!.handoff_refs.at(-1)!
      await record('toolcrib.artifact.handed_off', tenant, { artifact_id: artifactId, ...handed })
      return handed
    },
    async removeArtifact(artifactId, options = {}) {
      checkOptions('removeArtifact', options, REMOVE)
      const { tenant = home.tenant, by = home.actor } = options
      const removed = await artifacts.remove({ tenant, artifactId })
      if (!removed) return false
      const data = { artifact_id: artifactId, ...(by !== undefined && { by: redactor.text(by) }) }
      await record('toolcrib.artifact.removed', tenant, data)
      return true
    },
  }
  return { api }
}

/** Expired bytes have an error of their own and are no failure of the store. */
async function orGone<Value>(artifactId: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    if (!isMissingBlob(error)) throw error
    throw gone(artifactId, error)
  }
}

function gone(artifactId: string, cause?: unknown): Error {
  const message = `The bytes of ${artifactId} are gone; only its record is left.`
  return artifactError('toolcrib.artifact_gone', message, cause)
}

function matches(
  { name, updated_at: at, versions }: ToolcribArtifact,
  query: Omit<ArtifactsQuery, 'since'> & { tool: string | undefined; since: string | undefined },
): boolean {
  const { tool, session } = query
  return (
    (query.name === undefined || name === query.name) &&
    (query.since === undefined || at >= query.since) &&
    (tool === undefined || versions.some(({ provenance }) => provenance.tool_id === tool)) &&
    (session === undefined || versions.some(({ provenance }) => provenance.session === session))
  )
}
