import type { CatalogTool } from '../../catalog/catalog-tool.js'
import { orderHooks } from '../../hooks/order-hooks.js'
import type { HookDefinition } from '../../hooks/hook.js'
import { wantsTool } from '../../pipeline/hooks/hooks-for.js'
import type { CribSettings } from '../crib-settings.js'
import { redactorFor } from '../redactor-for.js'
import type { HookEntry } from './load-hooks.js'

/** A hook of the config, in the order in which hooks run. */
export interface DescribedHook {
  /** As it is in the config, without secrets. */
  readonly entry: HookEntry
  readonly hook: HookDefinition
  /** The ids of the tools that it applies to. */
  readonly matching: readonly string[]
}

export function describeHooks(
  { config, hooks }: Pick<CribSettings, 'config' | 'hooks'>,
  tools: readonly CatalogTool[],
): DescribedHook[] {
  const redactor = redactorFor(config)
  return orderHooks(hooks).map((hook) => ({
    entry: redactor.value(config.hooks!.find(({ id }) => id === hook.id)!),
    matching: tools.filter((tool) => wantsTool(hook, tool)).map(({ toolId }) => toolId),
    hook,
  }))
}
