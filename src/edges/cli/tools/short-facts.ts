import type { CatalogTool } from '../../../catalog/catalog-tool.js'
import type { FactName } from '../../../catalog/facts.js'

/** The facts of a tool, in the fewest words: "reads", "writes, open world". */
export function shortFacts({ draft }: CatalogTool): string {
  const { facts, permission, lifecycle } = draft
  const words = [
    typeof facts.is_read_only === 'function' ? 'may write' : facts.is_read_only ? 'reads' : 'writes',
  ]
  if (facts.is_destructive === true) words.push('destructive')
  if (facts.is_open_world !== false) words.push('open world')
  if (permission.approval_required === true) words.push('approval')
  if (lifecycle !== 'available') words.push(lifecycle)
  return words.join(', ')
}

export const factWords: Record<FactName, string> = {
  is_read_only: 'only reads',
  is_destructive: 'destroys',
  is_open_world: 'open world',
  is_concurrency_safe: 'may run beside others',
  requires_user_interaction: 'needs a person',
  requires_exclusive_context: 'needs the context for itself',
}
