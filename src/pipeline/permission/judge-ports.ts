import type { CallRun, RunPorts } from '../call-run.js'
import type { PermissionState } from './permission-state.js'
import type { CatalogTool } from '../../catalog/catalog-tool.js'
import type { Catalog } from '../../catalog/catalog.js'
import type { GatherContext } from '../../policy/commands/gather-context.js'
import type { Decider } from '../../policy/decision.js'
import type { Policy } from '../../policy/policy.js'
import type { Redactor } from '../../redaction/redactor.js'
import type { FolderFacts } from '../../shell/folder-facts.js'

/** The ports that judging a call or the reading of a ref needs. */
export interface JudgePorts extends RunPorts {
  readonly catalog: Catalog
  readonly decider: Decider
  /** The rules in force. */
  readonly policy: Policy
  readonly home: string
  /** The path with all links in it followed. */
  followLinks(path: string): string
  /** The entries of a folder, for wildcards that may match a link. */
  listFolder: NonNullable<GatherContext['listFolder']>
  /**
   * Inspects the folders in which a command would run. If it is absent, commands that depend on them are not proven.
   */
  readonly folders?: FolderFacts | undefined
  /** Whether the path exists; true also for a dangling link. */
  exists(path: string): boolean
  /** Replaces a secret by a keyed digest, the same in every process that has the key. */
  readonly keyedRedactor: Redactor
  /** The tool that reads results, for rules: a caller that passes a ref to a tool reads the ref's content. */
  resultReader(): CatalogTool
}

/** A call whose rules can be named. */
export type PolicyRun = CallRun<RunPorts & Pick<JudgePorts, 'policy'>> &
  Pick<PermissionState, 'decided' | 'contentBlocks'>

export type JudgedRun = CallRun<JudgePorts> &
  Pick<PermissionState, 'decided' | 'contentBlocks' | 'touched' | 'judged'>
