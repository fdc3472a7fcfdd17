import type { HookDefinition } from '../judgement/hooks/hook.js'

/** Hooks of a config that nobody has trusted: they may refuse and ask, but their allow is not heard. */
export function untrustedHooks(hooks: readonly HookDefinition[]): HookDefinition[] {
  return hooks.map((hook) => ({
    ...hook,
    isAuthoritative: false,
    async run(call) {
      const answer = await hook.run(call)
      if (!answer || answer.permission?.behavior !== 'allow') return answer
      const { permission: _unheard, ...rest } = answer
      return rest
    },
  }))
}
