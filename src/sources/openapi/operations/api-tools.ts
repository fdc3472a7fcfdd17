import type { ExecuteContext } from '../../../catalog/execute-context.js'
import type { SetupProblem, ToolDraft } from '../../../catalog/tool-draft.js'
import { secretsOfHeader } from '../../../credentials/secrets-of-proof.js'
import { createApiClient, type ApiClient } from '../../../http-client/api-client.js'
import { checkAddress, type Reach } from '../../../http-client/address-rules.js'
import { ownVersion } from '../../../platform/files/own-package.js'
import { errorMessage } from '../../../platform/text/error-message.js'
import { ownCommand, shellWord } from '../../../platform/text/own-command.js'
import type { LiveSecrets } from '../../../redaction/live-secrets.js'
import { changeSentence, howToAccept, toolChanged } from '../../changes/tool-changed.js'
import { DEFAULT_MAX_RESPONSE_BYTES, type ApiSettings } from '../api-settings.js'
import { ADVICE, callOperation, NAME_SERVER } from '../call/call-operation.js'
import { chooseCredential, type SecurityChoice } from '../call/choose-credential.js'
import type { HttpPeer } from '../../http/http-peer.js'
import { failure } from '../../http/to-failure.js'
import type { ChangedOperation } from '../changes/accepted-operations.js'
import type { CompiledDocument, CompiledOperation } from '../compiled.js'
import { buildRequest } from '../../http/request/build-request.js'
import { createApiCredentials } from './api-credentials.js'
import { sourceNamespace } from '../../source-namespace.js'
import { applySettings, type ConfiguredOperation } from './apply-settings.js'
import { keyFieldOf, operationFacts } from './operation-facts.js'
import { resolveServer, type ResolvedServer } from './resolve-server.js'
import { misspelled } from './misspelled.js'
import { selectOperations } from './select-operations.js'
import { toDraft, type DraftOrigin } from './to-draft.js'

export interface ApiToolsOptions {
  readonly api: string
  readonly settings: ApiSettings
  /** The address of the document. */
  readonly address: string
  readonly env: NodeJS.ProcessEnv
  readonly live: LiveSecrets
  /** Whether no redactor of a crib masks the secrets in `live`: each call then masks them for itself. */
  readonly hidesOwnSecrets: boolean
  /** Runs before each request of an operation. */
  beforeCall?(): Promise<void>
  onProblem(message: string): void
}

/** Makes the tools of an API. Connections and credentials are shared by all of them. */
export interface ApiTools {
  drafts(document: CompiledDocument, blocked: ReadonlyMap<string, ChangedOperation>): ToolDraft[]
  close(): Promise<void>
}

export function createApiTools(options: ApiToolsOptions): ApiTools {
  const { api, settings, address, env, live } = options
  const namespace = sourceNamespace('api', api)
  const clients = new Map<Reach, ApiClient>()
  const servers = new Map<string, ResolvedServer>()
  const credentials = createApiCredentials({ api, settings: settings.credentials, env, live })
  const headers = lowerCase(settings.headers ?? {})
  const userAgent = `toolcrib/${ownVersion()}`
  const forgetHeaders = Object.entries(settings.headers ?? {})
    .flatMap(([name, value]) => secretsOfHeader(name, value))
    .map((secret) => live.add(secret))
  const reported = new Set<string>()
  const peer: HttpPeer = {
    name: api,
    advice: { ...ADVICE, credential: (schemes) => adviceOf(schemes, { api, settings }) },
  }

  /** Once: lists are made again and again. */
  function report(problem: string): void {
    if (!reported.has(problem)) options.onProblem(problem)
    reported.add(problem)
  }

  function clientFor(reach: Reach): ApiClient {
    let client = clients.get(reach)
    if (!client) clients.set(reach, (client = createApiClient({ reach })))
    return client
  }

  /** Most operations have the same server. */
  function serverFor({ servers: named }: CompiledOperation): ResolvedServer {
    const key = JSON.stringify(named)
    let server = servers.get(key)
    if (!server) servers.set(key, (server = resolveServer(named, { settings, address })))
    return server
  }

  function toTool(configured: ConfiguredOperation, { document, changed }: ToolParts): ToolDraft {
    const { operation } = configured
    const server = serverFor(operation)
    const choice = securityOf(operation, { server, document })
    const toolId = `${namespace}.${configured.name}`
    const parts = {
      server,
      choice,
      changed: changed && changedTool(changed, toolId),
      whyNot: whyNoServer(server),
    }
    return toDraft(configured, {
      api,
      namespace,
      settings,
      server,
      credentials: choice.schemes,
      required: choice.required,
      setupProblem: problemOf(parts),
      ...requestChecks(configured, server),
      call: callerOf(configured, parts),
    })
  }

  function securityOf(
    operation: CompiledOperation,
    { server, document }: { server: ResolvedServer; document: CompiledDocument },
  ): SecurityChoice {
    const security = withOwnCredentials(operation.security, { settings, document })
    const { origin } = server.ok ? server.url : new URL('http://unknown.invalid')
    return chooseCredential(security, (scheme, scopes) =>
      credentials.open(scheme, { document, origin, scopes }),
    )
  }

  function callerOf(configured: ConfiguredOperation, parts: CallParts): DraftOrigin['call'] {
    const { server, choice } = parts
    const { operation } = configured
    const { facts } = operationFacts(operation, {
      settings: configured.settings,
      isTrusted: settings.trusted !== false,
    })
    const ports = server.ok && {
      api,
      peer,
      serverUrl: server.url,
      client: clientFor(server.reach),
      headers,
      userAgent,
      maxBytes: settings.maxResponseBytes ?? DEFAULT_MAX_RESPONSE_BYTES,
      redirectHosts: settings.redirectHosts,
      keyField: keyFieldOf(operation),
      isReadOnly: facts.is_read_only === true,
      credential: choice.choose,
      now: Date.now,
    }
    return async (input: Record<string, unknown>, context: ExecuteContext) => {
      if (parts.changed) throw toolChanged(parts.changed.message)
      if (!ports || parts.whyNot) throw failure(parts.whyNot!.message, UNREACHABLE)
      await options.beforeCall?.()
      try {
        return await callOperation(configured, { input, context, ports })
      } finally {
        // Now: a credential may have been loaded for this call.
        if (options.hidesOwnSecrets) for (const secret of live.list) context.hide(secret)
      }
    }
  }

  return {
    drafts(document, blocked) {
      for (const problem of misspelled(document, { api, settings })) report(problem)
      const drafts = selectOperations(document.operations, settings).map((operation) => {
        const changed = blocked.get(operation.name)
        return toTool(applySettings(changed?.accepted ?? operation, settings), { document, changed })
      })
      return uniqueNames(drafts, report)
    },
    async close() {
      await Promise.all([...clients.values()].map((client) => client.close()))
      await credentials.settled()
      for (const forget of forgetHeaders) forget()
    },
  }
}

const UNREACHABLE = {
  errorClass: 'setup_required',
  code: 'toolcrib.setup_required',
  nothingHappened: true,
} as const

interface ToolParts {
  readonly document: CompiledDocument
  readonly changed: ChangedOperation | undefined
}

interface CallParts {
  readonly server: ResolvedServer
  readonly choice: SecurityChoice
  readonly changed: SetupProblem | undefined
  /** Why nothing can be sent to the server. */
  readonly whyNot: SetupProblem | undefined
}

function problemOf({ choice, changed, whyNot }: CallParts): DraftOrigin['setupProblem'] {
  const known = changed ?? whyNot
  if (known) return () => known
  return choice.required.length > 0 ? choice.missing : undefined
}

function changedTool({ diff, isNew }: ChangedOperation, toolId: string): SetupProblem {
  const message = isNew
    ? `This tool is new, and goes to another server or sends a credential in another way than those that were accepted; ${howToAccept(toolId)}`
    : changeSentence({ noun: 'API', changed: diff.changed, toolId })
  return { code: 'toolcrib.tool_changed', message }
}

/** As far as that can be said without resolving a name. */
function whyNoServer(server: ResolvedServer): SetupProblem | undefined {
  const code = 'toolcrib.setup_required'
  if (!server.ok) return { code, message: `The address of the API is not known: ${server.why}.` }
  try {
    checkAddress(server.url, server.reach)
    return undefined
  } catch (error) {
    const { origin } = server.url
    return {
      code,
      message: `The document names the server ${origin}, which is not called: ${errorMessage(error)}. ${NAME_SERVER}`,
    }
  }
}

/** What can be said about a request before it is sent. The body goes to no other address, and may be long. */
function requestChecks(
  { operation, complete }: ConfiguredOperation,
  server: ResolvedServer,
): Pick<DraftOrigin, 'urlOf' | 'validateValues'> {
  if (!server.ok) return { urlOf: () => undefined, validateValues: () => undefined }
  const { url: baseUrl } = server
  const bodiless = { ...operation, body: undefined }
  const build = (input: Values): string => buildRequest(bodiless, { input: complete(input), baseUrl }).url
  return {
    urlOf(input) {
      try {
        return baseUrl.origin + build(input)
      } catch {
        // An input that cannot be sent goes nowhere.
        return undefined
      }
    },
    validateValues(input) {
      try {
        build(input)
        return undefined
      } catch (error) {
        return { errorClass: 'invalid_arguments', message: errorMessage(error) }
      }
    },
  }
}

type Values = Readonly<Record<string, unknown>>

/** A document without security may be wrong: credentials of the config that it does not name belong to every operation. */
function withOwnCredentials(
  security: CompiledOperation['security'],
  { settings, document }: { settings: ApiSettings; document: CompiledDocument },
): CompiledOperation['security'] {
  if (security.length > 0) return security
  const own = Object.keys(settings.credentials ?? {}).filter(
    (name) => !Object.hasOwn(document.securitySchemes, name),
  )
  return own.length === 0 ? security : [Object.fromEntries(own.map((name) => [name, []]))]
}

/** What to do where the API refuses the credentials of these schemes. */
function adviceOf(
  schemes: readonly string[],
  { api, settings }: Pick<ApiToolsOptions, 'api' | 'settings'>,
): string {
  if (schemes.length === 0)
    return 'No credential was sent: the document names none. If the API needs one, write it under "credentials" of the API in the config.'
  const own = schemes.find((name) => !Object.hasOwn(settings.credentials ?? {}, name))
  const where =
    own === undefined
      ? 'see "credentials" of the API in the config'
      : `run ${ownCommand(`secrets set ${shellWord(`${api}/${own}`)}`)}`
  return `Check the credential (${schemes.join(', ')}): ${where}.`
}

/** Two operations can get one name only by the config. */
function uniqueNames(drafts: readonly ToolDraft[], onProblem: (message: string) => void): ToolDraft[] {
  const seen = new Set<string>()
  return drafts.filter(({ name, namespace }) => {
    if (!seen.has(name)) return seen.add(name)
    onProblem(`Two operations of ${namespace} are named "${name}" in the config; only the first is used.`)
    return false
  })
}

function lowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
