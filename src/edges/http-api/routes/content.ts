import type { ToolcribArtifact } from '../../../contract/objects/toolcrib-artifact.js'
import { isKeptRef } from '../../../contract/kept-ref.js'
import { RefError } from '../../../pipeline/refs/ref-reader.js'
import type { Page, ReadRequest } from '../../../results/read-back/page.js'
import { parseArtifactRef } from '../../../results/artifacts/artifact-ref.js'
import { textTest } from '../../../scheduling/limits/compile-limit.js'
import { recordRef } from '../openapi-document.js'
import { badRequest, notFound, Problem } from '../problem.js'
import { EVERYONE, isHome, READERS, whoOf } from '../role-groups.js'
import type { ApiRequest, Route } from '../route.js'
import { snakeKeys } from '../snake-keys.js'
import { listOf, named, paging, shape, text } from '../shapes.js'
import { sortedPage } from '../sorted-page.js'
import { ownActor } from './invocations.js'

const tag = 'Content'
const whole = { type: 'integer', minimum: -1_000_000_000_000, maximum: 1_000_000_000_000 } as const

const page: Route = {
  method: 'get',
  path: '/content',
  operationId: 'readContent',
  tag,
  summary: 'Read a page of stored content',
  description:
    'Of a result that was too long to be shown, an artifact, or an input. By lines unless "by" says otherwise. A caller without another role reads what its own calls gave.',
  roles: EVERYONE,
  query: {
    ref: named('The ref, such as toolcrib://…'),
    by: { enum: ['lines', 'bytes', 'pointer', 'search'], default: 'lines' },
    from: { ...whole, description: 'The first line, item or byte. Below zero: from the end.' },
    count: {
      type: 'integer',
      minimum: 1,
      maximum: 1_000_000,
      description: 'How many lines, items or bytes.',
    },
    pointer: { type: 'string', maxLength: 2000, description: 'A JSON pointer into the content.' },
    text: { type: 'string', maxLength: 2000, description: 'What to search for.' },
    max_chars: { type: 'integer', minimum: 400, maximum: 200_000, default: 20_000 },
  },
  requiredQuery: ['ref'],
  success: [
    {
      status: 200,
      description: 'A page, and the request that continues.',
      schema: shape({ kind: text, text, next: { type: 'object' } }, ['kind']),
    },
  ],
  async handle(request) {
    const { api, tenant, query } = request
    const { ref, max_chars: maxChars = 20_000 } = query as { ref: string; max_chars?: number }
    await checkOwnRef(request, ref)
    const found = await api.crib
      .read(ref, readRequestOf(query), { tenant, actor: whoOf(request), maxChars })
      .catch((error: unknown) => {
        throw refProblem(error)
      })
    const { next, ...rest } = found as Page & { next?: ReadRequest }
    return { status: 200, body: { ...(snakeKeys(rest) as object), ...(next && { next: queryFor(next) }) } }
  },
}

/** A caller without another role gets the content of its own calls; the rest is unknown, as what never was. */
async function checkOwnRef(request: ApiRequest, ref: string): Promise<void> {
  const { api, tenant } = request
  const own = ownActor(request)
  if (own === undefined) return
  const artifactId = parseArtifactRef(ref)?.artifactId
  if (artifactId !== undefined) {
    const artifact = await api.crib.artifact(artifactId, { tenant })
    if (artifact && isOwnArtifact(artifact, own)) return
  }
  const invocationId = isKeptRef(ref) ? /^toolcrib:\/\/invocations\/(\w+)\//.exec(ref)?.[1] : undefined
  if (invocationId !== undefined) {
    const invocation = await api.crib.invocation(invocationId, { tenant })
    if (invocation?.actor_ref === own) return
  }
  throw notFound('There is nothing of your calls at this ref.')
}

/** Other callers may have added versions. */
function isOwnArtifact({ versions }: ToolcribArtifact, own: string): boolean {
  return versions.every(({ provenance }) => provenance.actor === own)
}

function readRequestOf(query: Readonly<Record<string, unknown>>): ReadRequest {
  const {
    by = 'lines',
    from,
    count,
    pointer,
    text: searched,
  } = query as {
    by?: ReadRequest['by']
    from?: number
    count?: number
    pointer?: string
    text?: string
  }
  switch (by) {
    case 'lines':
      return { by, from, count }
    case 'bytes':
      return { by, offset: from, length: count }
    case 'pointer':
      if (pointer === undefined) throw badRequest('Give "pointer" with by=pointer, such as /items/0.')
      return { by, pointer, from, count }
    case 'search':
      if (searched === undefined) throw badRequest('Give "text" with by=search: what to look for.')
      return { by, text: searched, limit: count, after: from }
  }
}

/** The query parameters of the page that continues. */
function queryFor(next: ReadRequest): object {
  switch (next.by) {
    case 'lines':
      return { by: next.by, from: next.from, count: next.count }
    case 'bytes':
      return { by: next.by, from: next.offset, count: next.length }
    case 'pointer':
      return { by: next.by, pointer: next.pointer, from: next.from, count: next.count }
    case 'search':
      return { by: next.by, text: next.text, from: next.after, count: next.limit }
  }
}

/** A ref that leads nowhere, or to content that this reader may not have. */
function refProblem(error: unknown): unknown {
  if (error instanceof RefError) {
    const { problem, errorClass, code, message } = error
    return new Problem(problem === 'denied' ? 403 : problem === 'unknown' ? 404 : 410, errorClass, message, {
      code,
    })
  }
  // The ref or the numbers are none that can be read.
  return error instanceof TypeError ? badRequest(error.message) : error
}

const DEFAULT_ARTIFACTS = 100

const listArtifacts: Route = {
  method: 'get',
  path: '/artifacts',
  operationId: 'listArtifacts',
  tag,
  summary: 'List artifacts',
  description:
    'Deliverables that calls made, the newest first. A caller without another role gets those of its own calls.',
  roles: EVERYONE,
  query: {
    tool: named('Any name of a tool.'),
    session: named('The session of the call.'),
    ...paging,
    limit: { ...paging.limit, default: DEFAULT_ARTIFACTS },
  },
  success: [
    { status: 200, description: 'A page of artifacts.', schema: listOf(recordRef('toolcrib_artifact')) },
  ],
  async handle(request) {
    const { api, tenant, query } = request
    const own = ownActor(request)
    const {
      limit = DEFAULT_ARTIFACTS,
      cursor,
      ...filter
    } = query as { limit?: number; cursor?: string; tool?: string; session?: string }
    const found: ToolcribArtifact[] = []
    for await (const artifact of api.crib.artifacts({ ...filter, tenant }))
      if (own === undefined || isOwnArtifact(artifact, own)) found.push(artifact)
    // Ids are in the order of their times.
    const keyOf = ({ artifact_id: id }: ToolcribArtifact) => [id]
    return {
      status: 200,
      body: sortedPage(found, { list: 'artifacts', keyOf, order: ['high'], limit, cursor }),
    }
  },
}

async function findArtifact(request: ApiRequest) {
  const { api, tenant, params } = request
  const own = ownActor(request)
  const found = await api.crib.artifact(params['artifact_id']!, { tenant })
  if (found && (own === undefined || isOwnArtifact(found, own))) return found
  throw notFound('There is no such artifact; GET /artifacts lists what there is.')
}

const readArtifact: Route = {
  method: 'get',
  path: '/artifacts/{artifact_id}',
  operationId: 'getArtifact',
  tag,
  summary: 'Read the record of an artifact',
  roles: EVERYONE,
  success: [{ status: 200, description: 'The artifact.', schema: recordRef('toolcrib_artifact') }],
  async handle(request) {
    return { status: 200, body: await findArtifact(request) }
  },
}

/** One page of the bytes that are sent. */
const PAGE_BYTES = 1024 * 1024
const MAX_ARTIFACT_BYTES = 256 * 1024 * 1024

const artifactContent: Route = {
  method: 'get',
  path: '/artifacts/{artifact_id}/content',
  operationId: 'getArtifactContent',
  tag,
  summary: 'Download the newest version of an artifact',
  roles: EVERYONE,
  success: [
    {
      status: 200,
      description: 'Its exact bytes.',
      schema: { type: 'string' },
      mediaType: 'application/octet-stream',
    },
  ],
  async handle(request) {
    const { versions, name } = await findArtifact(request)
    const uri = versions.at(-1)!.uri
    const { api, tenant } = request
    const chunks: Buffer[] = []
    let offset = 0
    for (;;) {
      const ask: ReadRequest = { by: 'bytes', offset, length: PAGE_BYTES }
      const found = await api.crib
        .read(uri, ask, { tenant, actor: whoOf(request), maxChars: PAGE_BYTES * 2 })
        .catch((error: unknown) => {
          throw refProblem(error)
        })
      if (found.kind !== 'binary' && found.kind !== 'text') break
      if (found.sizeBytes > MAX_ARTIFACT_BYTES)
        throw new Problem(
          413,
          'result_too_large',
          'It is larger than 256 MB; export it on the command line instead.',
        )
      chunks.push(found.kind === 'binary' ? Buffer.from(found.base64, 'base64') : Buffer.from(found.text))
      offset += found.length
      if (found.next === undefined || found.length === 0) break
    }
    const content = Buffer.concat(chunks)
    return {
      status: 200,
      bytes: { content, mediaType: 'application/octet-stream', name },
    }
  },
}

const locks: Route = {
  method: 'get',
  path: '/locks',
  operationId: 'listLocks',
  tag: 'Scheduling',
  summary: 'List the locks that calls hold or wait for',
  roles: READERS,
  success: [{ status: 200, description: 'The locks.', schema: listOf({ type: 'object' }) }],
  async handle({ api, tenant }) {
    return { status: 200, body: { items: snakeKeys(await api.crib.locks({ tenant })) } }
  },
}

const limits: Route = {
  method: 'get',
  path: '/limits',
  operationId: 'getLimits',
  tag: 'Scheduling',
  summary: 'Read the limits and their state',
  roles: READERS,
  success: [{ status: 200, description: 'The limits.', schema: { type: 'object' } }],
  async handle({ api, tenant }) {
    const state = await api.crib.limits()
    if (isHome({ api, tenant })) return { status: 200, body: snakeKeys(state) }
    // What is counted is counted over all tenants, as are the failures of sources: they are for the tenant of the server.
    const limits = state.limits
      .filter(({ of }) => textTest(of.tenant)(tenant))
      .map((each) => ({ ...each, counts: [] }))
    return { status: 200, body: snakeKeys({ limits }) }
  },
}

export const contentRoutes = [page, listArtifacts, readArtifact, artifactContent, locks, limits]
