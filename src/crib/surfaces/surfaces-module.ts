import { inTurns } from '../../platform/async/steps.js'
import { buildSurface, surfaceSteps } from '../../surfaces/build-surface.js'
import { NOTHING_SHOWN } from '../../surfaces/shown.js'
import { toSurfacePreview } from '../../surfaces/preview/surface-preview.js'
import { toSurfaceRequest, type SurfaceRequest } from '../../surfaces/surface-request.js'
import type { ClosingPort, CribModule } from '../assemble.js'
import type { CatalogPort } from '../catalog/catalog-module.js'
import { checkSearch } from '../discovery/search-surface.js'
import { rememberParents } from '../catalog/remembered-parents.js'
import type { Crib } from '../crib.js'
import type { DiscoveryPort } from '../discovery/discovery-module.js'
import type { PolicyPort } from '../policy/policy-module.js'
import type { OptionsPort, RecordPort } from '../record-module.js'
import { checkSurfaceRedaction } from '../redaction/redaction-options.js'
import { countAhead, loadCostOf } from '../../surfaces/tool-cost.js'
import { openStoredSurface, openSurface } from './open-surface.js'
import { prepareLoading } from './prepare-loading.js'
import type { Surface } from './surface.js'

/** The surfaces of callers. */
export function openSurfaces(
  ports: OptionsPort & ClosingPort & RecordPort & CatalogPort & PolicyPort & DiscoveryPort,
): CribModule<object, Pick<Crib, 'surface' | 'openSurface' | 'preview' | 'explainSurface' | 'searchTools'>> {
  const { options, tenant, store, ids, now, catalog, agents, policy, denies, checkOpen } = ports
  const { journal, redactor, discovery } = ports

  function withDefaults(request: SurfaceRequest): SurfaceRequest {
    const actor = request.actor ?? options.actor
    return { ...request, tenant: request.tenant ?? tenant, ...(actor !== undefined && { actor }) }
  }

  async function onRequest(request: SurfaceRequest): Promise<void> {
    agents.check(request)
    checkSurfaceRedaction(request, options.redaction)
    const { tenant: where, actor, above } = request
    if (actor === undefined || !above?.length) return
    await rememberParents(store, { tenant: where!, actor, above, now: now() })
  }

  /** The open surfaces. Weak: a surface that no caller holds is not retained for its id. */
  const open = new Map<string, WeakRef<Surface>>()
  const forget = new FinalizationRegistry<string>((id) => {
    if (!open.get(id)?.deref()) open.delete(id)
  })
  /** Surfaces that are being opened by their ids: two requests for one id get one surface. */
  const opening = new Map<string, Promise<Surface | undefined>>()

  function remember(surface: Surface): Surface {
    open.set(surface.id, new WeakRef(surface))
    forget.register(surface, surface.id)
    return surface
  }

  async function openStored(id: string, where: string): Promise<Surface | undefined> {
    const surface = await openStoredSurface(maker, { tenant: where, id })
    return surface && remember(surface)
  }

  const maker = {
    catalog,
    agents,
    journal,
    now,
    denies,
    policy,
    onRequest,
    redactor,
    discovery,
  }
  return {
    api: {
      preview(given = {}) {
        const request = withDefaults(toSurfaceRequest(given))
        agents.check(request)
        return buildSurface(catalog, agents.resolve(request), { denies })
      },
      async explainSurface(given = {}) {
        const request = withDefaults(toSurfaceRequest(given))
        checkOpen()
        agents.check(request)
        const { shown, costOf } = await prepareLoading(maker, request, NOTHING_SHOWN)
        const steps = surfaceSteps(catalog, agents.resolve(request), { denies, shown, costOf })
        const built = await inTurns(steps)
        // Without a budget nothing was counted yet.
        const counted = costOf ?? (await loadCostOf())
        await countAhead([...built.loaded, ...built.deferred], counted)
        return redactor.value(await toSurfacePreview(built, { tools: catalog.list(), costOf: counted }))
      },
      async searchTools(query, { limit, surface = {} } = {}) {
        checkSearch(query, { limit })
        const request = withDefaults(toSurfaceRequest(surface))
        checkOpen()
        agents.check(request)
        const built = await inTurns(surfaceSteps(catalog, agents.resolve(request), { denies }))
        return discovery.search(built, query, { limit, recentUse: () => 0 })
      },
      async surface(given = {}) {
        const request = toSurfaceRequest(given)
        checkOpen()
        const asked = withDefaults(request)
        await onRequest(asked)
        return remember(await openSurface(maker, ids.next('surface', now()), asked))
      },
      async openSurface(id, { tenant: where = tenant } = {}) {
        if (typeof id !== 'string') throw new TypeError('crib.openSurface takes the id of a surface.')
        checkOpen()
        const here = open.get(id)?.deref()
        if (here) return here.request.tenant === where ? here : undefined
        const key = JSON.stringify([where, id])
        const under = opening.get(key)
        if (under) return under
        const begun = openStored(id, where).finally(() => opening.delete(key))
        opening.set(key, begun)
        return begun
      },
    },
  }
}
