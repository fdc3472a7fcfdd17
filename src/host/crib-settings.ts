import type { ConfigTrust } from '../platform/trust/config-trust.js'
import type { CribConfig } from '../platform/config/schema/config-schema.js'
import type { HookDefinition } from '../hooks/hook.js'

export interface LoadToolsOptions {
  /** Absent: the nearest config file, from `cwd` upward; else the one in the user's settings folder. */
  configPath?: string | undefined
  cwd?: string | undefined
}

export interface CribSettings {
  /** Absent where there is no config file: then nothing is set and there are no tools. */
  configPath: string | undefined
  /** Whether the caller named this file; otherwise it was found. */
  isNamed?: boolean
  /** Until the config is trusted, nothing that it names is imported, run or requested, and nothing in it loosens a rule. */
  trust: ConfigTrust
  config: CribConfig
  hooks: readonly HookDefinition[]
}
