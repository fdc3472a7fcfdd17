import type { ProtectedPaths } from '../../../policy/protected-paths.js'
import { createDraft, type DraftParts } from '../../../catalog/create-draft.js'
import type { ToolDraft } from '../../../catalog/tool-draft.js'
import type { FileRoots } from './access/file-roots.js'
import type { SeenFiles } from './seen-files.js'
import type { Trash } from './trash/trash.js'

/** What the file tools share. */
export interface FileEnvironment {
  readonly roots: FileRoots
  readonly protectedPaths: ProtectedPaths | undefined
  /** Whether readers get a summary of the file and not its content. */
  isPrivate(path: string): boolean
  readonly seen: SeenFiles
  /** Absent: deleted files cannot be restored. */
  readonly trash: Trash | undefined
}

type FileParts = Omit<DraftParts, 'namespace' | 'kind' | 'execution' | 'facts' | 'reach'> & {
  readonly execute: ToolDraft['execute']
}

/** A tool that only reads. */
export function readingTool({ roots }: FileEnvironment, parts: FileParts): ToolDraft {
  return fileTool(roots, parts, {
    facts: { is_read_only: true, is_destructive: false, is_concurrency_safe: true },
    permission: { risk_level: 'low', access_kinds: ['file_read'], write_effects: ['none'] },
    // A cancelled read leaves nothing behind.
    execution: { interruptBehavior: 'cancel', isIdempotent: true },
  })
}

/** A tool that changes files. */
export function changingTool(
  { roots }: FileEnvironment,
  { isDestructive, isIrreversible = false }: { isDestructive: boolean; isIrreversible?: boolean },
  parts: FileParts,
): ToolDraft {
  return fileTool(roots, parts, {
    facts: { is_read_only: false, is_destructive: isDestructive, is_concurrency_safe: false },
    permission: {
      risk_level: isDestructive ? 'high' : 'medium',
      access_kinds: ['file_read', 'file_write'],
      write_effects: isIrreversible ? ['local_persistent', 'irreversible'] : ['local_persistent'],
    },
    execution: { interruptBehavior: 'block' },
  })
}

interface Effects {
  readonly facts: ToolDraft['facts']
  readonly permission: ToolDraft['permission']
  readonly execution: Pick<ToolDraft['execution'], 'interruptBehavior' | 'isIdempotent'>
}

function fileTool(
  { folders }: FileRoots,
  parts: FileParts,
  { facts, permission, execution }: Effects,
): ToolDraft {
  const { pathFields = [] } = parts.input
  return createDraft({
    ...parts,
    namespace: 'local.files',
    kind: 'file_operation',
    annotations: { file_roots: folders },
    facts: { ...facts, is_open_world: false, requires_user_interaction: false },
    reach: { runs: 'in_process', folders, declaresPaths: true },
    permission: {
      ...permission,
      network_scope: 'none',
      tenant_scope: 'machine',
      rule_matching_fields: [...new Set(pathFields.map(({ field }) => field))],
      data_sensitivity: 'files of the workspace',
      ...parts.permission,
    },
    execution: { kind: 'embedded_runtime', supports: ['cancel', 'offline'], ...execution },
    locks: 'paths',
  } as DraftParts)
}
