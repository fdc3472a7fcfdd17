import type { BuiltinName, BuiltinSettings } from '../../platform/config/schema/builtins-schema.js'
import type { ToolDraft } from '../../catalog/tool-draft.js'
import type { LiveSecrets } from '../../redaction/live-secrets.js'
import type { SourceStorage } from '../source.js'

/** The environment of a set of built-in tools. */
export interface BuiltinEnvironment {
  /** The base of relative paths in the settings, and the default folder of the tools. Absolute. */
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
  /** Receives credentials that are obtained later; they are masked everywhere. */
  readonly secrets: LiveSecrets | undefined
  /** The storage of the crib, with the paths that belong to Toolcrib. */
  readonly storage: SourceStorage
  /** Receives problems that no caller waits for. */
  onProblem(message: string): void
}

/** An open set of built-in tools. */
export interface OpenedBuiltin {
  readonly drafts: readonly ToolDraft[]
  /** Ends what calls left running: processes, pages, connections. */
  close?(): Promise<void>
}

/** Opens a set of built-in tools. Each module of a set exports one as `open`. */
export type OpenBuiltin<Name extends BuiltinName> = (
  settings: BuiltinSettings<Name>,
  environment: BuiltinEnvironment,
) => Promise<OpenedBuiltin>
