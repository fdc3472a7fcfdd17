import { ownCommand } from '../../platform/text/own-command.js'
import type { HookDefinition } from '../../hooks/hook.js'
import type { CribSettings } from '../crib-settings.js'
import { createTrustGuard } from '../../platform/trust/trust-guard.js'

/**
 * The hooks of a config. Where it is not trusted, or no longer as it was when it was loaded, they are neither run nor asked;
 * calls that they would have been asked about are asked about.
 */
export function guardedHooks({ configPath, config, hooks }: CribSettings): HookDefinition[] {
  if (hooks.length === 0) return []
  const guard = createTrustGuard(configPath, config)
  return hooks.map((hook) => ({
    ...hook,
    async run(call) {
      const why = guard()
      if (why === undefined) return hook.run(call)
      const message = `it was not run: ${why} (${ownCommand('trust')})`
      // Whatever it says about its own failure is its config's word too.
      if (hook.event === 'pre_tool_use')
        return { permission: { behavior: 'ask', message: `The hook "${hook.id}": ${message}` } }
      throw new Error(message)
    },
  }))
}
