import type { SurfaceRequest } from '../../surfaces/surface-request.js'
import { surfaceRequestOf } from '../load-settings.js'
import type { CribSettings } from '../crib-settings.js'

/**
 * A tenth of the 200,000 tokens that models commonly read: with more, a client pays for tools before it has said a word,
 * and models choose worse among them.
 */
export const SERVED_BUDGET_TOKENS = 20_000

/** What callers of the gateway see, by name. The one of callers that name none is `default`. */
export function serveSurfacesOf(settings: CribSettings): Record<string, SurfaceRequest> {
  const { serve, surface } = settings.config
  const further = Object.entries(serve?.surfaces ?? {})
  return Object.fromEntries(
    [['default', surface ?? {}] as const, ...further].map(([name, said]) => {
      const request = surfaceRequestOf({ ...settings, config: { ...settings.config, surface: said } })
      return [name, withBudget(request, serve?.budgetTokens ?? SERVED_BUDGET_TOKENS)]
    }),
  )
}

/** Many clients never ask for the list again, so that what is found is called through the pair, unless said otherwise. */
function withBudget(request: SurfaceRequest, budgetTokens: number): SurfaceRequest {
  const { deferral } = request
  if (deferral?.budgetTokens !== undefined || budgetTokens === 0) return request
  return { ...request, deferral: { way: 'pair', ...deferral, budgetTokens } }
}
