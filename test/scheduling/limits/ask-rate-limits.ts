import { defineTool, type CatalogTool, type LimitRule, type Store, type ToolDraft } from 'toolcrib'
import type { LimitedCall } from '../../../src/scheduling/rate-limits.js'
import {
  createRateLimits,
  type RateLimitsOptions,
} from '../../../src/scheduling/limits/create-rate-limits.js'
import { createCatalog } from '../../../src/catalog/catalog.js'

export const START = Date.UTC(2026, 0, 1)

export function draft(namespace: string, name: string, more: object = {}): ToolDraft {
  return defineTool({ namespace, name, description: 'Does it.', execute: () => 'done', ...more })
}

const catalog = createCatalog()
catalog.add('function', [draft('math', 'add'), draft('files', 'read', { aliases: ['cat'] })])
catalog.add('mcp.web', [
  draft('web', 'fetch', {
    aliases: ['get'],
    externalMappings: [{ source: 'mcp', server_id: 'net', tool_name: 'fetch' }],
  }),
  draft('web', 'search'),
])
catalog.add('mcp.mail', [draft('mail', 'send')])

export const toolOf = (name: string): CatalogTool => catalog.find(name)!

let calls = 0

/** A call as the limits see it. */
export function callOf(
  tool: string,
  row: { tenant?: string; actor?: string; session?: string; surfaceId?: string } = {},
): LimitedCall & { cancelReason: LimitedCall['cancelReason'] } {
  return {
    tool: toolOf(tool),
    surface: { request: {} },
    cancelReason: undefined,
    retrying: undefined,
    row: {
      tenant: 'default',
      surfaceId: 'surface_1',
      ...row,
      invocationId: `inv_${calls++}`,
      toolId: toolOf(tool).toolId,
      status: 'approved',
      createdAt: START,
      revision: 1,
    },
  }
}

/** Rate limits with a clock that the test controls. */
export function keeperOn(
  store: Store,
  limits: readonly LimitRule[],
  {
    breaker,
    clock = { now: START },
  }: { breaker?: RateLimitsOptions['breaker']; clock?: { now: number } } = {},
) {
  const keeper = createRateLimits({ limits, breaker, store, now: () => clock.now, find: catalog.find })
  return {
    keeper,
    clock,
    /** `in`, `wait 100`, or the code of the refusal. */
    async ask(call: LimitedCall): Promise<string> {
      const answer = await keeper.ask(call)
      if (!answer) return 'in'
      return 'waitMs' in answer ? `wait ${answer.waitMs}` : answer.refuse.error_code!
    },
    async refusal(call: LimitedCall) {
      const answer = await keeper.ask(call)
      if (!answer || !('refuse' in answer)) throw new Error('it was let in or told to wait')
      return answer.refuse
    },
  }
}
