import { resolve } from 'node:path'
import type { BuiltinSettings } from '../../../platform/config/schema/builtins-schema.js'
import { INHERITED, inheritedEnvironment } from '../../../platform/processes/inherited-environment.js'
import type { SandboxLimits } from '../../../platform/sandbox/sandbox.js'
import type { ProtectedPaths } from '../../../policy/protected-paths.js'
import type { BuiltinEnvironment } from '../builtin.js'

/** The settings of the shell tools, with paths that are absolute and defaults that are filled in. */
export interface ShellSettings {
  readonly shell: 'bash' | 'sh'
  readonly cwd: string
  readonly policy: 'required' | 'preferred' | 'off'
  readonly writable: readonly string[]
  readonly domains: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** The names of variables that commands get, and where from. */
  readonly environmentPolicy: { readonly inherited: readonly string[]; readonly set: readonly string[] }
  readonly timeoutMs: number
  readonly limits: SandboxLimits
  readonly protectedPaths: ProtectedPaths
}

const TIMEOUT_MS = 120_000
/** A fork bomb ends here; a large build stays far below. */
const PROCESSES = 2048

export function resolveSettings(
  settings: BuiltinSettings<'shell'>,
  { folder, env, storage }: BuiltinEnvironment,
): ShellSettings {
  const cwd = resolve(folder, settings.cwd ?? '.')
  const inherited = [...INHERITED, ...(settings.inheritEnv ?? [])]
  return {
    shell: settings.shell ?? 'bash',
    cwd,
    policy: settings.sandbox ?? 'preferred',
    writable: settings.writable?.map((path) => resolve(folder, path)) ?? [cwd],
    domains: settings.network ?? [],
    env: { ...inheritedEnvironment(env, settings.inheritEnv), ...settings.env },
    environmentPolicy: { inherited, set: Object.keys(settings.env ?? {}) },
    timeoutMs: settings.timeoutMs ?? TIMEOUT_MS,
    limits: { processes: PROCESSES, ...settings.limits },
    protectedPaths: storage.protectedPaths ?? { own: [] },
  }
}
