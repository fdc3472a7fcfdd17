import type { Catalog } from '../../catalog/catalog.js'
import { waitsForAcceptance } from '../../catalog/setup-problem-of.js'
import { toolRecords, toolRef, unpackRecords, type ToolRecords } from '../../catalog/records/tool-records.js'
import type { Redactor } from '../../redaction/redactor.js'
import { diffTool, type ToolDiff } from '../../sources/changes/diff-tool.js'
import { readVersion } from '../../storage/definition-documents.js'
import type { Journal } from '../../storage/journal/journal.js'
import { readToolVersions } from '../../storage/tool-version-documents.js'
import type { Publisher } from './publish-catalog.js'

/** One version of a tool's definition. */
export interface ToolVersion {
  readonly fingerprint: string
  /** Milliseconds since 1970. Absent where the store does not have it. */
  readonly firstSeenAt?: number | undefined
  /** When it was replaced or removed; absent for the version in the catalog. */
  readonly lastSeenAt?: number | undefined
  readonly isCurrent: boolean
  /** What changed since the version before it. Absent for the first version, and where a definition was not stored. */
  readonly diff?: ToolDiff | undefined
}

/** A tool that changes with every list may have any number of versions. */
const MAX_VERSIONS = 50

interface Listed {
  readonly fingerprint: string
  readonly listedAt: number
  readonly lastSeenAt?: number | undefined
}

/** The versions of a tool that was ever in the catalog, the newest first. */
export async function toolVersions(
  name: string,
  {
    journal,
    catalog,
    publisher,
    redactor,
  }: { journal: Journal; catalog: Catalog; publisher: Pick<Publisher, 'published'>; redactor: Redactor },
): Promise<ToolVersion[]> {
  const listedTool = catalog.find(name)
  // A process that has not listed its sources knows what others published.
  const present = publisher.published(listedTool?.toolId ?? name)
  const toolId = listedTool?.toolId ?? present?.toolId ?? name
  // A tool that waits to be accepted is no version yet: the last published one is still the current one.
  const tool = listedTool && waitsForAcceptance(listedTool.draft.availability) ? undefined : listedTool
  const fingerprintNow = tool?.fingerprint ?? present?.fingerprint
  await journal.flush()
  const past = (await readToolVersions(journal.store, toolId))
    .filter(({ fingerprint }) => fingerprint !== fingerprintNow)
    .sort((a, b) => b.listedAt - a.listedAt || b.lastSeenAt - a.lastSeenAt)
  const current: Listed[] =
    fingerprintNow === undefined ? [] : [{ fingerprint: fingerprintNow, listedAt: present?.at ?? Infinity }]
  // One more than is returned: the last one is compared with it.
  const listed = [...current, ...past].slice(0, MAX_VERSIONS + 1)
  const found = await Promise.all(
    listed.map(async (each) => {
      const stored = await readVersion(journal.store, toolRef({ toolId, fingerprint: each.fingerprint }))
      const isCurrent = each.fingerprint === fingerprintNow
      // Definitions are stored masked, so what they are compared with is masked too.
      const records =
        isCurrent && tool ? redactor.value(toolRecords(tool)) : unpackRecords(redactor.value(stored?.value))
      return { ...each, isCurrent, records, storedAt: stored?.at ?? Infinity }
    }),
  )
  return found.slice(0, MAX_VERSIONS).map((version, at) => {
    const { fingerprint, lastSeenAt, isCurrent, records } = version
    const before = found[at + 1]?.records
    const firstSeenAt = Math.min(version.listedAt, version.storedAt)
    return {
      fingerprint,
      firstSeenAt: Number.isFinite(firstSeenAt) ? firstSeenAt : undefined,
      lastSeenAt,
      isCurrent,
      diff: before && records && diffTool(definitionOf(before), definitionOf(records), { members: MEMBERS }),
    }
  })
}

/** What people read of a definition, in the order of a diff. Refs are left out: they change with every version. */
const MEMBERS = {
  title: 'title',
  description: 'description',
  aliases: 'aliases',
  search_hint: 'search hint',
  lifecycle: 'lifecycle',
  tool_kind: 'kind',
  input_contract: 'input',
  output_contract: 'output',
  facts: 'facts',
  permission: 'permission',
  execution: 'execution',
  annotations: 'annotations',
  external_mappings: 'mappings',
  toolcrib: 'origin',
} as const

function definitionOf({
  tool,
  tool_interface,
  permission_profile,
  execution_profile,
}: ToolRecords): Record<string, unknown> {
  const { permission_profile_id: _, ...permission } = permission_profile
  const { execution_profile_id: __, external_mappings: ___, ...execution } = execution_profile
  const { is_read_only, is_destructive, is_open_world, is_concurrency_safe, requires_user_interaction } =
    tool_interface
  return {
    ...tool,
    facts: { is_read_only, is_destructive, is_open_world, is_concurrency_safe, requires_user_interaction },
    permission,
    execution,
  }
}
