import { findSandbox } from '../../../platform/sandbox/find-sandbox.js'
import type { SandboxReport } from '../../../platform/sandbox/sandbox.js'
import { builtinSettings } from '../../../platform/config/source-sections.js'
import type { CribSettings } from '../../../host/crib-settings.js'
import type { Finding } from './finding.js'

const LIMITS: Readonly<Record<SandboxReport['limits'], string>> = {
  cgroup: 'limits apply to all processes of a command together (cgroup)',
  prlimit: 'limits apply to each process (prlimit)',
  none: 'limits do not apply, for there is no prlimit',
}

/** What holds of the sandbox in which commands run, and what to install. Only where the config has tools that use it. */
export async function checkSandbox({ config }: Pick<CribSettings, 'config'>): Promise<Finding[]> {
  const { shell } = builtinSettings(config.builtins) as { shell?: { sandbox?: string } }
  if (shell === undefined) return []
  const { sandbox, checks, limits, problem } = await findSandbox()
  const check = 'sandbox'
  const held = checks.map(({ message }) => message).join('; ')
  if (sandbox)
    return [
      {
        check,
        status: 'ok',
        message: `${sandbox.kind} ${sandbox.version} (policy ${shell.sandbox ?? 'preferred'}): ${held}; ${LIMITS[limits]}`,
      },
    ]
  const effect =
    shell.sandbox === 'required'
      ? 'Commands do not run.'
      : 'Commands run without a sandbox, also those that are proven to only read.'
  return [{ check, status: 'problem', message: `${problem} ${effect}` }]
}
