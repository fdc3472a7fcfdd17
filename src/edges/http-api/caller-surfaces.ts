import type { Crib } from '../../crib/crib.js'
import type { Surface } from '../../crib/surfaces/surface.js'
import type { Identity } from '../server/admission.js'
import { holdersOf, type Caller } from '../server/caller.js'
import type { SurfaceRequest } from '../../surfaces/surface-request.js'
import { updateDocument } from '../../storage/update-document.js'
import { badRequest, conflict, notFound } from './problem.js'

export interface WantedSurface {
  readonly surfaceId?: string | undefined
  /** The name of a configured surface or an agent. */
  readonly name?: string | undefined
  readonly session?: string | undefined
}

/** A surface of the config or an agent, by its name; or in one sentence why there is none. */
export type SurfaceByName = (name: string) => SurfaceRequest | { readonly problem: string } | undefined

/** Throws a `Problem` where there is none. */
export function namedSurface(surfaceRequest: SurfaceByName, name: string): SurfaceRequest {
  const request = surfaceRequest(name)
  if (request === undefined) throw notFound(`There is no surface "${name}"; leave it out to use your own.`)
  if ('problem' in request) throw badRequest(request.problem)
  return request
}

/** The surfaces that callers of the API use. Each is opened once for a caller and a session. */
export interface CallerSurfaces {
  get(identity: Identity, wanted: WantedSurface): Promise<Surface>
}

const MAX_KEPT = 1000
/** Whose session a name is. */
const SESSION_KIND = 'http_session'

export function createCallerSurfaces({
  crib,
  tenant: home,
  surfaceRequest,
}: {
  readonly crib: Pick<Crib, 'surface' | 'openSurface' | 'invocationPage' | 'store'>
  readonly tenant: string
  readonly surfaceRequest: SurfaceByName
}): CallerSurfaces {
  const opened = new Map<string, Promise<Surface>>()

  /** What a person allowed for a session must not be used by another caller that knows the name of the session. */
  async function claimSession({ actor, tenant = home }: Caller, session: string): Promise<void> {
    const place = { tenant, kind: SESSION_KIND, id: session }
    const owner = await updateDocument<string>(crib.store, place, async (found) => {
      if (found) return { result: (found.value as { actor: string }).actor }
      // It may have been opened over MCP or by a program.
      const { invocations } = await crib.invocationPage({ tenant, session, limit: 1 })
      const first = invocations[0]?.actor_ref ?? actor
      return { value: { actor: first }, result: first }
    })
    if (owner !== actor) throw conflict('This session belongs to another caller; give it another name.')
  }

  async function open({ caller }: Identity, name: string, session: string): Promise<Surface> {
    const request = namedSurface(surfaceRequest, name)
    const { actor, tenant = home, token } = caller
    await claimSession(caller, session)
    return crib.surface({
      ...request,
      ...holdersOf(caller),
      actor,
      session,
      tenant,
      name,
      ...(token !== undefined && { client: token }),
    })
  }

  async function byId(id: string, { caller }: Identity): Promise<Surface> {
    const found = await crib.openSurface(id, { tenant: caller.tenant ?? home })
    // A surface of another caller is unknown, as one that never was; and so is one that the token is not for.
    const { heldBy = [] } = holdersOf(caller)
    // Whoever has rotated the token since would be missing from the questions of this surface.
    const isOwn =
      found?.request.actor === caller.actor && heldBy.every((each) => found.request.heldBy?.includes(each))
    if (!found || !isOwn || (caller.surface !== undefined && found.request.name !== caller.surface))
      throw notFound('There is no such surface of yours; open one with POST /surfaces.')
    return found
  }

  return {
    async get(identity, { surfaceId, name: asked, session: given }) {
      if (surfaceId !== undefined) return byId(surfaceId, identity)
      const { surface: own } = identity.caller
      if (own !== undefined && asked !== undefined && asked !== own)
        throw badRequest(`This token is for the surface "${own}"; leave the name out.`)
      const name = asked ?? own ?? 'default'
      const session = given ?? `http-${identity.key.replaceAll(/[^\w-]/g, '').slice(0, 12)}`
      const key = JSON.stringify([identity.binding, name, session])
      const known = opened.get(key)
      if (known) return known
      const opening = open(identity, name, session)
      if (opened.size >= MAX_KEPT) opened.delete(opened.keys().next().value!)
      opened.set(key, opening)
      // If it could not be opened, the next request tries again.
      opening.catch(() => opened.delete(key))
      return opening
    },
  }
}
