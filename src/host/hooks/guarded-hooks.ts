import { ownCommand } from '../../platform/text/own-command.js'
import type { HookDefinition } from '../../hooks/hook.js'
import type { CribSettings } from '../crib-settings.js'
import { createTrustGuard } from '../../platform/trust/trust-guard.js'

/**
 * The hooks of a config. While the config is not trusted, or changed since it was loaded, they do not run, and calls of
 * a `pre_tool_use` hook require approval.
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
      // Not as a failure of the hook: how failures count is a setting of the untrusted config.
      if (hook.event === 'pre_tool_use')
        return { permission: { behavior: 'ask', message: `The hook "${hook.id}": ${message}` } }
      throw new Error(message)
    },
  }))
}
