import { isoTime } from '../../contract/iso-time.js'
import type {
  ArtifactHandOffRef,
  ArtifactProvenance,
  ArtifactVersion,
  ToolcribArtifact,
} from '../../contract/objects/toolcrib-artifact.js'
import { SCHEMA_VERSION, type RedactionState } from '../../contract/unions.js'
import type { Journal } from '../../storage/journal/journal.js'
import type { DocumentWrite } from '../../storage/store.js'
import { updateDocument } from '../../storage/update-document.js'
import { walkDocuments } from '../../storage/walk-documents.js'
import { deepFreeze } from '../../platform/json/deep-freeze.js'
import { PAYLOAD_KIND, type PayloadRecord } from '../payloads/payload-record.js'
import type { Payloads, WrittenPayload } from '../payloads/payloads.js'
import { ARTIFACT_KIND, handOffRef, parseArtifactRef, versionOf, versionRef } from './artifact-ref.js'

/** A new version: bytes that are durable already, and their description. */
export interface MadeVersion {
  tenant: string
  name: string
  title?: string | undefined
  description?: string | undefined
  mediaType: string
  preview: string
  isText: boolean
  redactionState: RedactionState
  written: WrittenPayload
  provenance: ArtifactProvenance
  handOff?: { to: string; purpose?: string | undefined } | undefined
}

export interface KeptVersion {
  artifact: ToolcribArtifact
  version: ArtifactVersion
}

/** Stores the records of artifacts. Their bytes are payloads, which protects them from the sweep. */
export interface Artifacts {
  /** A new artifact. `put` adds its record to the next group of the log, together with the records around it. */
  prepare(made: MadeVersion): Promise<KeptVersion & { put(): void }>
  /** Undefined where the artifact does not exist or was removed. Concurrent additions are all kept. */
  addVersion(artifactId: string, made: MadeVersion): Promise<KeptVersion | undefined>
  find(tenant: string, artifactId: string): Promise<ToolcribArtifact | undefined>
  /** In the order of their creation. */
  list(tenant: string): AsyncIterable<ToolcribArtifact>
  /** Undefined where there is none. `change` may be called again after a concurrent write. */
  change(
    at: { tenant: string; artifactId: string },
    change: (artifact: ToolcribArtifact, nowIso: string) => ToolcribArtifact,
  ): Promise<ToolcribArtifact | undefined>
  /** The record stays; the bytes expire. `undefined` where there is none, or it was removed before. */
  remove(at: { tenant: string; artifactId: string }): Promise<ToolcribArtifact | undefined>
  /** The ref of the version that an artifact ref refers to; the same ref where it is no artifact ref. */
  settle(tenant: string, ref: string): Promise<string>
}

export interface ArtifactsParts {
  journal: Journal
  payloads: Payloads
  nextId(): string
  now(): number
}

export function createArtifacts({ journal, payloads, nextId, now }: ArtifactsParts): Artifacts {
  const { store } = journal

  async function find(tenant: string, artifactId: string): Promise<ToolcribArtifact | undefined> {
    await journal.flush()
    const found = await store.getDocument(tenant, ARTIFACT_KIND, artifactId)
    return found?.value as ToolcribArtifact | undefined
  }

  /** Repeats compare-and-set until it succeeds; related documents are written in the same group. */
  async function update<Extra>(
    { tenant, artifactId }: { tenant: string; artifactId: string },
    step: (
      artifact: ToolcribArtifact,
    ) => Promise<{ next: ToolcribArtifact; documents: readonly DocumentWrite[]; extra: Extra } | undefined>,
  ): Promise<{ next: ToolcribArtifact; extra: Extra } | undefined> {
    await journal.flush()
    return updateDocument<{ next: ToolcribArtifact; extra: Extra } | undefined>(
      store,
      { tenant, kind: ARTIFACT_KIND, id: artifactId },
      async (found) => {
        const taken = found && (await step(found.value as ToolcribArtifact))
        if (!taken) return { result: undefined }
        const { next, documents: also, extra } = taken
        return { value: next, also, result: { next, extra } }
      },
      { now },
    )
  }

  return {
    async prepare(made) {
      const artifactId = nextId()
      const payload = await payloads.toRecord(made.written, payloadAbout(made, versionRef(artifactId, 1)))
      const at = now()
      const version = toVersion(made, payload, { number: 1, at })
      const bare: ToolcribArtifact = {
        schema_version: SCHEMA_VERSION,
        artifact_id: artifactId,
        tenant: made.tenant,
        name: made.name,
        ...(made.title !== undefined && { title: made.title }),
        ...(made.description !== undefined && { description: made.description }),
        media_type: made.mediaType,
        created_at: isoTime(at),
        updated_at: isoTime(at),
        versions: [version],
        export_refs: [],
        handoff_refs: [],
      }
      const artifact = deepFreeze(withHandOff(bare, made, version)) as ToolcribArtifact
      return {
        artifact,
        version,
        put() {
          journal.accompany(payloadDocument(made.tenant, payload, at))
          journal.accompany(documentOf(artifact, at, 0))
        },
      }
    },
    async addVersion(artifactId, made) {
      const added = await update({ tenant: made.tenant, artifactId }, async (artifact) => {
        if (artifact.removed_at !== undefined) return undefined
        const number = artifact.versions.length + 1
        const payload = await payloads.toRecord(
          made.written,
          payloadAbout(made, versionRef(artifactId, number)),
        )
        const at = now()
        const version = toVersion(made, payload, { number, at })
        const next = withHandOff(
          {
            ...artifact,
            ...(made.title !== undefined && { title: made.title }),
            ...(made.description !== undefined && { description: made.description }),
            media_type: made.mediaType,
            updated_at: isoTime(at),
            versions: [...artifact.versions, version],
          },
          made,
          version,
        )
        // Revision 0 means "must not exist yet": it is written only together with the artifact's record.
        const documents = [{ ...payloadDocument(made.tenant, payload, at), expectedRevision: 0 }]
        return { next: deepFreeze(next) as ToolcribArtifact, documents, extra: version }
      })
      return added && { artifact: added.next, version: added.extra }
    },
    find,
    async *list(tenant) {
      await journal.flush()
      // Ids begin with the creation time.
      for await (const { value } of walkDocuments(store, { tenant, kind: ARTIFACT_KIND }))
        yield value as ToolcribArtifact
    },
    async change(at, change) {
      const changed = await update(at, async (artifact) => ({
        next: deepFreeze(change(artifact, isoTime(now()))) as ToolcribArtifact,
        documents: [],
        extra: undefined,
      }))
      return changed?.next
    },
    async remove(where) {
      const { tenant } = where
      const removed = await update(where, async (artifact) => {
        if (artifact.removed_at !== undefined) return undefined
        const at = now()
        const next = { ...artifact, updated_at: isoTime(at), removed_at: isoTime(at) }
        const documents: DocumentWrite[] = []
        for (const { uri } of artifact.versions) {
          const payload = (await store.getDocument(tenant, PAYLOAD_KIND, uri))?.value as
            PayloadRecord | undefined
          if (payload) documents.push(payloadDocument(tenant, { ...payload, expires_at: isoTime(at) }, at))
        }
        return { next: deepFreeze(next) as ToolcribArtifact, documents, extra: undefined }
      })
      return removed?.next
    },
    async settle(tenant, ref) {
      const parsed = parseArtifactRef(ref)
      if (!parsed || parsed.version !== undefined) return ref
      const artifact = await find(tenant, parsed.artifactId)
      return (artifact && versionOf(artifact, parsed)?.uri) ?? ref
    },
  }
}

function payloadAbout(made: MadeVersion, uri: string) {
  return {
    tenant: made.tenant,
    uri,
    class: 'artifact' as const,
    mediaType: made.mediaType,
    redactionState: made.redactionState,
    invocationId: made.provenance.invocation_id,
    name: made.name,
  }
}

function payloadDocument(tenant: string, payload: PayloadRecord, updatedAt: number): DocumentWrite {
  return { tenant, kind: PAYLOAD_KIND, id: payload.uri, updatedAt, value: payload }
}

function documentOf(artifact: ToolcribArtifact, updatedAt: number, expectedRevision: number): DocumentWrite {
  const { tenant, artifact_id: id } = artifact
  return { tenant, kind: ARTIFACT_KIND, id, updatedAt, value: artifact, expectedRevision }
}

function toVersion(
  made: MadeVersion,
  { uri, digest, size_bytes, media_type, line_count, expires_at }: PayloadRecord,
  { number, at }: { number: number; at: number },
): ArtifactVersion {
  return {
    version: number,
    uri,
    digest,
    size_bytes,
    media_type,
    ...(made.isText && line_count !== undefined && { line_count }),
    preview: made.preview,
    redaction_state: made.redactionState,
    created_at: isoTime(at),
    ...(expires_at !== undefined && { expires_at }),
    provenance: made.provenance,
  }
}

function withHandOff(
  artifact: ToolcribArtifact,
  { handOff, provenance: { actor } }: MadeVersion,
  { version, created_at: at }: ArtifactVersion,
): ToolcribArtifact {
  if (!handOff) return artifact
  const { to, purpose } = handOff
  return addHandOff(artifact, { to, purpose, version, at, by: actor })
}

/** The hand-off that was made with a version. */
export function handOffOf({ artifact, version }: KeptVersion): ArtifactHandOffRef | undefined {
  return artifact.handoff_refs.find(
    (each) => each.version === version.version && each.at === version.created_at,
  )
}

export function addHandOff(
  artifact: ToolcribArtifact,
  {
    to,
    purpose,
    version,
    at,
    by,
  }: { to: string; purpose: string | undefined; version: number; at: string; by: string | undefined },
): ToolcribArtifact {
  const { artifact_id: id, handoff_refs: before } = artifact
  const added = {
    ref: handOffRef(id, before.length + 1),
    to,
    ...(purpose !== undefined && { purpose }),
    version,
    at,
    ...(by !== undefined && { by }),
  }
  return { ...artifact, updated_at: at, handoff_refs: [...before, added] }
}
