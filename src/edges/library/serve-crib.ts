import { randomBytes } from 'node:crypto'
import type { Crib } from '../../crib/crib.js'
import type { CribSettings } from '../../host/crib-settings.js'
import type { ServeToken } from '../../host/serving/admission.js'
import { roles as allRoles } from '../../platform/config/roles.js'
import { ownVersion } from '../../platform/files/own-package.js'
import { TRUSTED } from '../../platform/trust/config-trust.js'
import type { SurfaceRequest } from '../../surfaces/surface-request.js'
import { openedSources, sourceHealth } from '../../host/sources/source-health.js'
import { mountApi, type MountedApi } from '../http-api/mount-api.js'
import { createGateway } from '../mcp/create-gateway.js'
import type { SurfaceSettings } from '../mcp/gateway-options.js'
import { serveHttp, type GatewayServer } from '../mcp/http/serve-http.js'
import { createConsoleHandler } from '../server/console-handler.js'
import { createHealth } from '../server/health/mount-health.js'
import { openClients } from '../server/health/open-clients.js'
import { openIdentities } from '../server/identities.js'

export interface ServeCribOptions {
  readonly crib: Crib
  /** Default: 127.0.0.1. */
  readonly host?: string | undefined
  /** Default: a free one. */
  readonly port?: number | undefined
  /** The tenant of the crib, and of tokens that name none. Default: `default`. */
  readonly tenant?: string | undefined
  /**
   * The person who runs the program, such as `ana`: the link of the server logs this person in with every role. Answers to
   * approvals are given as `person:ana`, so `reviewers` of the crib should name that.
   */
  readonly owner?: string | undefined
  /** Who else may call, and as what. `toolcrib tokens` and the API make more of them, in the store. */
  readonly tokens?: readonly ServeToken[] | undefined
  /** What callers see, by name; those that name none get `default`. Default: every tool. */
  readonly surfaces?: Readonly<Record<string, SurfaceSettings>> | undefined
  /** The address under which people reach the server, if not by this host and port, such as `https://tools.example.com`. */
  readonly publicUrl?: string | undefined
  /** Addresses and ranges of proxies whose X-Forwarded-For says which address a request is from. Default: none. */
  readonly trustedProxies?: readonly string[] | undefined
  /** How many requests each caller may send per minute, where its token has no limit of its own. Default: no limit. */
  readonly rateLimitPerMinute?: number | undefined
  /** The page of a trace, for links in the console, such as `https://traces.example.com/trace/{trace_id}`. */
  readonly traceUrl?: string | undefined
  /** Called for errors that are not a client's fault. */
  readonly onProblem?: ((problem: unknown) => void) | undefined
}

export interface CribServer {
  /** Without a path. MCP is at `/mcp`, the HTTP API at `/api/v1`, the console everywhere else. */
  readonly url: string
  /** Logs the owner in; without an owner, the page where a token can be entered. */
  readonly consoleUrl: string
  /** Ends the server. The crib stays open. */
  close(): Promise<void>
}

/** Serves a crib on one port: MCP for agents, the HTTP API for programs, and the console for people. */
export async function serveCrib(options: ServeCribOptions): Promise<CribServer> {
  const { crib, host, port, tenant = 'default', tokens = [], surfaces = { default: {} } } = options
  const { publicUrl, trustedProxies } = options
  const report = (problem: unknown): void => options.onProblem?.(problem)
  const settings: CribSettings = {
    configPath: undefined,
    trust: TRUSTED,
    config: {
      tenant,
      serve: {
        ...(publicUrl !== undefined && { publicUrl }),
        ...(trustedProxies && { trustedProxies: [...trustedProxies] }),
      },
    },
    hooks: [],
  }
  const owner = options.owner === undefined ? undefined : ownerOf(options.owner)
  const identities = await openIdentities({
    settings,
    admitted: { kind: 'tokens', tokens, owner, oauth: undefined, oidc: undefined },
    store: crib.store,
  })
  const gateway = createGateway({ crib, surfaces, info: { name: 'toolcrib', version: ownVersion() } })
  let api: MountedApi | undefined
  let listening: GatewayServer | undefined
  const health = createHealth({
    tenant,
    crib,
    sources: () => openedSources(crib),
    isPublic: false,
    open: () => openClients(listening, api),
    report,
  })
  const close = async (): Promise<void> => {
    await gateway.close()
    await identities.close()
  }
  try {
    const opened = (listening = await serveHttp({
      gateway,
      host,
      port,
      ...identities.server,
      ...(publicUrl !== undefined && { allowedHosts: [new URL(publicUrl).host] }),
      rateLimitPerMinute: options.rateLimitPerMinute,
      onProblem: report,
      onRequest: health.onRequest,
      mount(server) {
        health.mount(server)
        api = mountApi(server, {
          crib,
          tenant,
          surfaceRequest: (name) => surfaceOf(surfaces, name),
          sourceHealth: (of) => sourceHealth(crib, openedSources(crib), of),
          report,
          identities,
          traceUrl: options.traceUrl,
        })
        server.mount('/', createConsoleHandler())
      },
    }))
    const { loginCode } = identities.logins
    return {
      url: opened.url,
      consoleUrl: `${publicUrl ?? opened.url}/login${loginCode === undefined ? '' : `#code=${loginCode}`}`,
      async close() {
        await opened.close()
        await close()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** The token is known to nobody: the link is the way in. */
function ownerOf(name: string): ServeToken {
  const token = randomBytes(32).toString('base64url')
  return { actor: name, person: `person:${name}`, roles: allRoles, isOwner: true, token }
}

function surfaceOf(
  surfaces: Readonly<Record<string, SurfaceSettings>>,
  name: string,
): SurfaceRequest | undefined {
  return Object.hasOwn(surfaces, name) ? { scope: 'session', ...surfaces[name] } : undefined
}
