import { ownSurfaceReasons, surfaceReasons } from '../../../contract/unions.js'
import { previewVisibilities, type PreviewVisibility } from '../../../surfaces/preview/surface-preview.js'
import type { SurfaceRequest } from '../../../surfaces/surface-request.js'
import { namedSurface } from '../caller-surfaces.js'
import { recordRef } from '../openapi-document.js'
import { badRequest, forbidden, notFound } from '../problem.js'
import { EVERYONE, isHome, isReader, readableSurface, READERS } from '../role-groups.js'
import type { ApiRequest, Route } from '../route.js'
import { input, listOf, named, paging, shape, text } from '../shapes.js'

const tag = 'Surfaces'

const list: Route = {
  method: 'get',
  path: '/surfaces',
  operationId: 'listSurfaces',
  tag,
  summary: 'List surfaces that were opened',
  description: 'The newest first. A caller without another role gets its own.',
  roles: EVERYONE,
  query: {
    actor: named('The actor of the surface.'),
    session: named('The session of the surface.'),
    ...paging,
  },
  success: [{ status: 200, description: 'The surfaces.', schema: listOf(recordRef('tool_surface')) }],
  async handle(request) {
    const { api, tenant, identity } = request
    const { actor, session, limit, cursor } = request.query as {
      actor?: string
      session?: string
      limit?: number
      cursor?: string
    }
    const own = isReader(request) ? actor : identity.caller.actor
    const page = await api.crib.surfacePage({ tenant, actor: own, session, limit, cursor })
    return {
      status: 200,
      body: { items: page.surfaces, ...(page.cursor !== undefined && { next_cursor: page.cursor }) },
    }
  },
}

const open: Route = {
  method: 'post',
  path: '/surfaces',
  operationId: 'openSurface',
  tag,
  summary: 'Open a surface',
  description: 'One for each caller, name and session: the same request gives the same surface.',
  roles: ['caller'],
  body: input({
    surface: named('The name of a configured surface or an agent. Default: your own.'),
    session: named('The session of the surface. Default: one for your token.'),
  }),
  success: [{ status: 200, description: 'The surface.', schema: recordRef('tool_surface') }],
  async handle({ api, identity, body }) {
    const { surface: name, session } = body as { surface?: string; session?: string }
    const surface = await api.surfaces.get(identity, { name, session })
    return { status: 200, body: surface.fullRecord() }
  },
}

const read: Route = {
  method: 'get',
  path: '/surfaces/{surface_id}',
  operationId: 'getSurface',
  tag,
  summary: 'Read a surface',
  description:
    'Of a surface of its own, a caller gets the whole lists; the records of others have counts instead of long lists.',
  roles: EVERYONE,
  success: [{ status: 200, description: 'The surface.', schema: recordRef('tool_surface') }],
  async handle(request) {
    const { api, tenant, identity, params } = request
    const id = params['surface_id']!
    if (!isReader(request))
      return { status: 200, body: (await api.surfaces.get(identity, { surfaceId: id })).fullRecord() }
    for await (const record of api.crib.surfaces({ id, tenant })) return { status: 200, body: record }
    throw notFound('There is no such surface; GET /surfaces lists what there is.')
  },
}

const names: Route = {
  method: 'get',
  path: '/surface-names',
  operationId: 'listSurfaceNames',
  tag,
  summary: 'List the names of surfaces',
  description: 'Those of the config, and the agents of sources. In another tenant: your own.',
  roles: READERS,
  success: [
    {
      status: 200,
      description: 'The names.',
      schema: listOf(
        shape({ name: text, kind: { enum: ['config', 'agent'] }, source: text, problem: text }, [
          'name',
          'kind',
        ]),
      ),
    },
  ],
  handle(request) {
    const { api, identity } = request
    const all = api.served?.surfaceNames() ?? [{ name: 'default', kind: 'config' as const }]
    const { surface: own = 'default' } = identity.caller
    // The surfaces are settings of the server: another tenant gets the name that its callers have.
    const items = isHome(request)
      ? all
      : all.flatMap(({ name, kind }) => (name === own ? [{ name, kind }] : []))
    return { status: 200, body: { items } }
  },
}

const preview: Route = {
  method: 'get',
  path: '/surface-preview',
  operationId: 'previewSurface',
  tag,
  summary: 'See what a caller of a surface sees, and why not the rest',
  description:
    'Before its first call. Nothing is opened or recorded. A caller without another role sees its own surface, without the tools that it must not know.',
  roles: EVERYONE,
  query: {
    surface: named('The name of a surface. Default: your own.'),
    actor: named('The actor of the caller: rules and recent use may depend on it.'),
    session: named('The session of the caller.'),
  },
  success: [
    {
      status: 200,
      description: 'Every tool with its visibility and the reason.',
      schema: shape(
        {
          surface: text,
          budget_tokens: { type: 'integer' },
          total_tokens: { type: 'integer', description: 'All available tools, if none were deferred.' },
          loaded_tokens: { type: 'integer', description: 'The listed tools.' },
          saved_tokens: { type: 'integer' },
          items: {
            type: 'array',
            items: shape(
              {
                tool_id: text,
                name: text,
                tokens: { type: 'integer' },
                visibility: { enum: previewVisibilities },
                reason: { enum: [...surfaceReasons, ...ownSurfaceReasons] },
                reason_message: text,
              },
              ['tool_id', 'name', 'visibility', 'reason_message'],
            ),
          },
        },
        ['surface', 'total_tokens', 'loaded_tokens', 'saved_tokens', 'items'],
      ),
    },
  ],
  async handle(request) {
    const { api, tenant } = request
    const { name, actor, session } = previewed(request)
    const found = namedSurface(api.surfaceRequest, name)
    const asked: SurfaceRequest = {
      ...found,
      tenant,
      ...(actor !== undefined && { actor }),
      ...(session !== undefined && { session }),
    }
    try {
      const explained = await api.crib.explainSurface(asked)
      const items = explained.items.filter(({ visibility }) => maySee(request, visibility))
      return { status: 200, body: { surface: name, ...explained, items } }
    } catch (error) {
      // Such as an agent that disappeared meanwhile.
      throw error instanceof TypeError ? badRequest(error.message) : error
    }
  },
}

/** A reader of another tenant must not know the tools that the rules deny to it, and a caller only what it may use. */
function maySee(request: ApiRequest, visibility: PreviewVisibility): boolean {
  if (!isReader(request)) return visibility !== 'denied' && visibility !== 'hidden'
  return isHome(request) || visibility !== 'denied'
}

function previewed(request: ApiRequest): {
  name: string
  actor: string | undefined
  session: string | undefined
} {
  const { surface: own = 'default', actor: self } = request.identity.caller
  const { surface, actor, session } = request.query as { surface?: string; actor?: string; session?: string }
  if (isReader(request)) return { name: readableSurface(request, surface) ?? own, actor, session }
  if ((surface ?? own) !== own || (actor ?? self) !== self)
    throw forbidden('You may look at your own surface only; leave "surface" and "actor" out.')
  return { name: own, actor: self, session }
}

export const surfaceRoutes = [list, open, read, names, preview]
