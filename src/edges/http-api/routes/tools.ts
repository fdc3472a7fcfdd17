import { lintTools } from '../../../catalog/lint/lint-tools.js'
import type { CatalogTool } from '../../../catalog/catalog-tool.js'
import { isoTime } from '../../../contract/iso-time.js'
import { toolKinds } from '../../../contract/unions.js'
import type { ToolVersion } from '../../../crib/catalog/tool-versions.js'
import { countAhead, loadCostOf } from '../../../surfaces/tool-cost.js'
import { toolState, toolStates } from '../../../surfaces/tool-state.js'
import { recordRef } from '../openapi-document.js'
import { badRequest, conflict, notFound } from '../problem.js'
import { namedSurface } from '../caller-surfaces.js'
import { checkChangeable, EVERYONE, isReader, readableSurface, whoOf } from '../role-groups.js'
import type { ApiRequest, Route } from '../route.js'
import { anything, input, listOf, named, paging, shape, text, texts, time } from '../shapes.js'
import {
  toToolSummary,
  toolSummaryProperties,
  toolSummaryRequired,
  toolSummarySchema,
} from '../tool-summary.js'
import { findVisibleTool, visibleTools } from '../visible-tools.js'

const tag = 'Tools'

interface ToolsQuery {
  readonly query?: string
  readonly source?: string
  readonly kind?: string
  readonly state?: string
  readonly limit?: number
  readonly cursor?: string
}

const list: Route = {
  method: 'get',
  path: '/tools',
  operationId: 'listTools',
  tag,
  summary: 'List tools',
  description: 'Every tool of the catalog; a caller without another role gets those of its own surface.',
  roles: EVERYONE,
  query: {
    query: { type: 'string', maxLength: 500, description: 'Words that the name, title or description has.' },
    source: named('The source of the tools.'),
    kind: { enum: toolKinds },
    state: { enum: toolStates },
    ...paging,
  },
  success: [{ status: 200, description: 'The tools, by their ids.', schema: listOf(toolSummarySchema) }],
  async handle(request) {
    const query = request.query as ToolsQuery
    const after = query.cursor === undefined ? undefined : idOf(query.cursor)
    const { limit = 50 } = query
    const found = (await visibleTools(request)).filter(
      (tool) => (after === undefined || tool.toolId > after) && matches(tool, query),
    )
    const page = found.slice(0, limit)
    await countAhead(page, await loadCostOf())
    return {
      status: 200,
      body: {
        items: page.map((tool) => summaryOf(request, tool)),
        ...(found.length > limit && { next_cursor: cursorOf(page.at(-1)!.toolId) }),
      },
    }
  },
}

function matches(tool: CatalogTool, { query, source, kind, state }: ToolsQuery): boolean {
  const { toolId, qualifiedName, draft } = tool
  if (source !== undefined && tool.source !== source) return false
  if (kind !== undefined && draft.kind !== kind) return false
  if (query !== undefined) {
    const said = `${toolId} ${qualifiedName} ${draft.title ?? ''} ${draft.description}`.toLowerCase()
    if (
      !query
        .toLowerCase()
        .split(/\s+/)
        .every((word) => said.includes(word))
    )
      return false
  }
  return state === undefined || toolState(tool).state === state
}

const cursorOf = (toolId: string): string => Buffer.from(toolId).toString('base64url')
const idOf = (cursor: string): string => Buffer.from(cursor, 'base64url').toString('utf8')

function summaryOf({ api }: ApiRequest, tool: CatalogTool): Record<string, unknown> {
  return toToolSummary(tool, api.crib.declaration(tool.toolId) ?? tool.draft)
}

const versionSchema = shape(
  {
    fingerprint: text,
    first_seen_at: time,
    last_seen_at: time,
    is_current: { type: 'boolean' },
    diff: shape({ changed: texts, lines: texts }, ['changed', 'lines']),
  },
  ['fingerprint', 'is_current'],
)

const changeSchema = shape({ changed: texts, lines: texts, digest: text }, ['lines', 'digest'])

const show: Route = {
  method: 'get',
  path: '/tools/{tool}',
  operationId: 'getTool',
  tag,
  summary: 'Read one tool in detail',
  description:
    'By any of its names. Its versions, findings and pending change are for those who read the records.',
  roles: EVERYONE,
  success: [
    {
      status: 200,
      description: 'The tool.',
      schema: shape(
        {
          ...toolSummaryProperties,
          declaration: recordRef('tool_declaration'),
          input_schema: { type: 'object' },
          output_schema: { type: 'object' },
          names: texts,
          examples: { type: 'array', items: anything },
          permission: { type: 'object' },
          execution: { type: 'object' },
          lint: {
            type: 'array',
            items: shape({ code: text, severity: text, message: text, place: text }, ['message']),
          },
          change: changeSchema,
          versions: { type: 'array', items: versionSchema },
        },
        [...toolSummaryRequired, 'declaration', 'input_schema', 'names', 'examples', 'lint', 'versions'],
      ),
    },
  ],
  async handle(request) {
    const { api } = request
    const tool = await findVisibleTool(request, request.params['tool']!)
    await countAhead([tool], await loadCostOf())
    const declaration = api.crib.declaration(tool.toolId)!
    const { permission_profile_ref: permission, execution_profile_ref: execution } = declaration
    const { draft } = tool
    const resolve = (ref: string | undefined): Promise<unknown> | undefined =>
      ref === undefined ? undefined : api.crib.resolveRef(ref)
    return {
      status: 200,
      body: {
        ...summaryOf(request, tool),
        declaration,
        input_schema: declaration.input_contract?.model_input_schema ?? {},
        output_schema: declaration.output_contract?.structured_schema,
        names: [
          ...new Set([tool.toolId, tool.qualifiedName, tool.providerName, draft.name, ...draft.aliases]),
        ],
        examples: declaration.input_contract?.examples ?? [],
        permission: await resolve(permission),
        execution: await resolve(execution),
        ...(isReader(request) ? await historyOf(request, tool) : { lint: [], versions: [] }),
      },
    }
  },
}

async function historyOf({ api, tenant }: ApiRequest, tool: CatalogTool): Promise<object> {
  const [findings, versions, change] = await Promise.all([
    lintTools([tool.draft]),
    api.crib.toolVersions(tool.toolId),
    tenant === api.tenant ? api.served?.changes().of(tool.toolId) : undefined,
  ])
  return {
    lint: findings.map(({ rule, severity, message, place }) => ({ code: rule, severity, message, place })),
    versions: versions.map(toVersion),
    ...(change && {
      change: { changed: change.diff.changed, lines: change.diff.lines, digest: change.digest },
    }),
  }
}

function toVersion({ fingerprint, firstSeenAt, lastSeenAt, isCurrent, diff }: ToolVersion): object {
  return {
    fingerprint,
    ...(firstSeenAt !== undefined && { first_seen_at: isoTime(firstSeenAt) }),
    ...(lastSeenAt !== undefined && { last_seen_at: isoTime(lastSeenAt) }),
    is_current: isCurrent,
    ...(diff && { diff }),
  }
}

const accept: Route = {
  method: 'post',
  path: '/tools/{tool}/accept',
  operationId: 'acceptTool',
  tag,
  summary: 'Accept the changed definition of a tool',
  description:
    'The digest says which change was read: if the source has changed the tool once more, nothing is accepted and the answer is 409.',
  roles: ['operator'],
  body: input({ digest: named('Of the change, as GET /tools/{tool} shows it.') }, ['digest']),
  success: [
    { status: 200, description: 'The ids of the tools.', schema: shape({ accepted: texts }, ['accepted']) },
  ],
  async handle(request) {
    checkChangeable(request)
    const { api, params, body } = request
    const { digest } = body as { digest: string }
    const tool = params['tool']!
    const toolId = api.crib.tool(tool)?.toolId ?? tool
    const changes = api.served?.changes()
    const change = await changes?.of(toolId)
    if (!changes || !change) throw notFound('Nothing of this tool waits to be accepted.')
    const accepted =
      change.digest === digest ? await changes.accept([change], { by: whoOf(request) }) : undefined
    if (!accepted)
      throw conflict('The tool has changed once more, and nothing was accepted; read it again first.')
    return { status: 200, body: { accepted } }
  },
}

const search: Route = {
  method: 'get',
  path: '/search',
  operationId: 'searchTools',
  tag,
  summary: 'Find tools by words that describe them',
  description:
    'The search that agents use. A caller without another role searches its own surface; others search all tools, or those of a named surface.',
  roles: EVERYONE,
  query: {
    query: { ...named('What the tool should do, or select: and names.'), maxLength: 2000 },
    limit: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
    surface: named('The name of a surface; GET /surface-names lists them.'),
  },
  requiredQuery: ['query'],
  success: [
    {
      status: 200,
      description: 'The best match first.',
      schema: shape(
        {
          query: text,
          items: {
            type: 'array',
            items: shape(
              {
                tool_id: text,
                name: text,
                description: text,
                score: { type: 'number' },
                reason: text,
                tokens: { type: 'integer' },
                is_near_miss: { type: 'boolean' },
              },
              ['tool_id', 'name', 'description'],
            ),
          },
        },
        ['query', 'items'],
      ),
    },
  ],
  async handle(request) {
    const { api } = request
    const { query, limit = 10 } = request.query as { query: string; limit?: number }
    const found = await searchFor(request, query, limit)
    const { candidates, near_misses: near } = found.toolcrib
    const items = [
      ...candidates.map((each) => ({ ...each, is_near_miss: false })),
      ...near.map((each) => ({ ...each, is_near_miss: true })),
    ]
    const tools = items.flatMap(({ tool_id: id }) => api.crib.tool(id) ?? [])
    await countAhead(tools, await loadCostOf())
    return {
      status: 200,
      body: {
        query: found.query,
        items: items.map(({ tool_id, description, score, reason, is_near_miss }) => {
          const tool = api.crib.tool(tool_id)
          return {
            tool_id,
            name: tool?.qualifiedName ?? tool_id,
            description,
            score,
            reason,
            tokens: tool?.prepared.promptTokens,
            is_near_miss,
          }
        }),
      },
    }
  },
}

async function searchFor(request: ApiRequest, query: string, limit: number) {
  const { api, identity, tenant } = request
  const { surface: name } = request.query as { surface?: string }
  try {
    if (!isReader(request)) return await (await api.surfaces.get(identity, { name })).search(query, { limit })
    const asked = readableSurface(request, name)
    const surface = asked === undefined ? {} : namedSurface(api.surfaceRequest, asked)
    return await api.crib.searchTools(query, { limit, surface: { ...surface, tenant } })
  } catch (error) {
    throw error instanceof TypeError ? badRequest(error.message) : error
  }
}

export const toolRoutes = [list, show, accept, search]
