import { createCatalogTool, type CatalogTool } from '../../catalog/catalog-tool.js'
import { reachOfPeer } from '../../http-client/address-rules.js'
import { createLiveSecrets } from '../../redaction/live-secrets.js'
import type { CompiledDocument, CompiledOperation, SecurityScheme } from '../../sources/openapi/compiled.js'
import { documentOrigin } from '../../sources/openapi/document/document-origin.js'
import { loadApi } from '../../sources/openapi/load-api.js'
import { createApiCredentials } from '../../sources/openapi/operations/api-credentials.js'
import { createApiTools } from '../../sources/openapi/operations/api-tools.js'
import { resolveServer } from '../../sources/openapi/operations/resolve-server.js'
import type {
  OpenapiPreview,
  PreviewedCredential,
  PreviewedOperation,
  PreviewedTag,
  PreviewOpenapi,
} from '../../sources/openapi/preview.js'
import { loadCostOf, type CostOf } from '../../surfaces/tool-cost.js'

/** Compiles a document and says what it would add. Nothing of it is called or stored. */
export const previewOpenapi: PreviewOpenapi = async (document, { nameFor, server }) => {
  const origin = documentOrigin(document, { folder: process.cwd() })
  const { signal } = new AbortController()
  const { compiled } = await loadApi({ origin, cacheFolder: undefined, signal })
  const name = nameFor(compiled.title)
  const settings = { document, ...(server !== undefined && { server }) }
  const live = createLiveSecrets()
  const tools = createApiTools({
    api: name,
    settings,
    address: origin.address,
    env: process.env,
    live,
    hidesOwnSecrets: true,
    onProblem() {},
  })
  const costOf = await loadCostOf()
  const drafts = tools.drafts(compiled, new Map())
  const catalogued = drafts.map((draft) => createCatalogTool(`openapi:${name}`, draft))
  await tools.close()
  const servers = serversOf(compiled, { settings, address: origin.address })
  return {
    name,
    title: compiled.title,
    version: compiled.version,
    description: compiled.description,
    servers: servers.map(({ url }) => url.href),
    isPrivateServer: await isAnyPrivate(servers),
    tags: tagsOf(compiled.operations),
    operations: compiled.operations.map((operation, at) =>
      toPreviewed(operation, { tool: catalogued[at]!, costOf }),
    ),
    problems: compiled.problems,
    credentials: credentialsOf(compiled, { name, origin: servers[0]?.url.origin, live }),
  } satisfies OpenapiPreview
}

interface PreviewedServer {
  readonly url: URL
  /** Whether the config, or the address of the document, names it. */
  readonly isNamed: boolean
}

function serversOf(
  { operations }: CompiledDocument,
  options: Parameters<typeof resolveServer>[1],
): PreviewedServer[] {
  const found = new Map<string, PreviewedServer>()
  for (const { servers } of operations) {
    const resolved = resolveServer(servers, options)
    if (resolved.ok && !found.has(resolved.url.href))
      found.set(resolved.url.href, { url: resolved.url, isNamed: resolved.reach === 'named' })
  }
  return [...found.values()]
}

async function isAnyPrivate(servers: readonly PreviewedServer[]): Promise<boolean> {
  const reaches = await Promise.all(
    servers.filter(({ isNamed }) => !isNamed).map(({ url }) => reachOfPeer(url)),
  )
  return reaches.some((reach) => reach !== 'outside')
}

function tagsOf(operations: readonly CompiledOperation[]): PreviewedTag[] {
  const counts = new Map<string, number>()
  for (const { tags } of operations)
    for (const tag of new Set(tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  return [...counts].map(([name, count]) => ({ name, operations: count }))
}

function toPreviewed(
  { name, method, path, summary, tags, isDeprecated, security, input }: CompiledOperation,
  { tool, costOf }: { tool: CatalogTool; costOf: CostOf },
): PreviewedOperation {
  const { is_destructive: destroys, is_read_only: reads } = tool.draft.facts
  return {
    name,
    toolId: tool.toolId,
    method,
    path,
    summary,
    tags,
    risk: destroys === true ? 'destroys' : reads === true ? 'reads' : 'writes',
    deprecated: isDeprecated,
    tokens: costOf(tool),
    required: Array.isArray(input['required']) ? (input['required'] as string[]) : [],
    credentials: [...new Set(security.flatMap((alternative) => Object.keys(alternative)))],
  }
}

function credentialsOf(
  document: CompiledDocument,
  {
    name,
    origin,
    live,
  }: { name: string; origin: string | undefined; live: ReturnType<typeof createLiveSecrets> },
): PreviewedCredential[] {
  const credentials = createApiCredentials({ api: name, settings: undefined, env: process.env, live })
  const used = new Set(document.operations.flatMap(({ security }) => security.flatMap(Object.keys)))
  return [...used].map((scheme) => {
    const opened = credentials.open(scheme, {
      document,
      origin: origin ?? 'http://unknown.invalid',
      scopes: [],
    })
    return {
      name: scheme,
      type: typeOf(document.securitySchemes[scheme]),
      missing: opened.missing()?.message,
    }
  })
}

function typeOf(scheme: SecurityScheme | undefined): string {
  switch (scheme?.type) {
    case 'http':
      return `http ${scheme.scheme}`
    case 'unsupported':
      return scheme.of
    case 'not_defined':
    case undefined:
      return 'not defined'
    default: // apiKey, oauth2, openIdConnect
      return scheme!.type
  }
}
