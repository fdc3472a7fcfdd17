import { createDraft } from '../../../catalog/create-draft.js'
import type { ExecuteContext } from '../../../catalog/execute-context.js'
import type { SetupProblem, ToolDraft, ValueCheck } from '../../../catalog/tool-draft.js'
import { isObject } from '../../../platform/json/is-object.js'
import { checkForeign } from '../../../platform/validation/check-foreign.js'
import type { Validate, Validated } from '../../../platform/validation/validated.js'
import { DEFAULT_TIMEOUT_MS, type ApiSettings } from '../api-settings.js'
import { OPENAPI } from '../native.js'
import type { ConfiguredOperation } from './apply-settings.js'
import { operationFacts } from './operation-facts.js'
import type { ResolvedServer } from './resolve-server.js'

export interface DraftOrigin {
  /** The name of the API in the config. */
  readonly api: string
  readonly namespace: string
  readonly settings: ApiSettings
  readonly server: ResolvedServer
  /** Names of credentials, never secrets. */
  readonly credentials: readonly string[]
  /** Those of them that a call needs. */
  readonly required: readonly string[]
  /** What is missing now. Absent: nothing can be missing. */
  readonly setupProblem: (() => SetupProblem | undefined) | undefined
  /** Why an input cannot be sent. */
  validateValues(input: Readonly<Record<string, unknown>>): ReturnType<ValueCheck>
  /** The address that a call with this input goes to, for rules. */
  urlOf(input: Readonly<Record<string, unknown>>): string | undefined
  call(input: Record<string, unknown>, context: ExecuteContext): unknown
}

const RETRIES = 2

export function toDraft(configured: ConfiguredOperation, origin: DraftOrigin): ToolDraft {
  const { operation, name, settings, schema } = configured
  const { api, namespace, server, credentials } = origin
  const isTrusted = origin.settings.trusted !== false
  const { facts, isIdempotent } = operationFacts(operation, { settings, isTrusted })
  const { operationId, method, path, output } = operation
  const hosts = server.ok
    ? [server.url.hostname, ...(origin.settings.redirectHosts ?? []).map(toHostname)]
    : []
  const annotations = annotationsOf(operation)
  return createDraft({
    namespace,
    name,
    title: operation.summary,
    description: settings.description ?? descriptionOf(operation),
    searchHint: hintOf(operation),
    kind: 'openapi_operation',
    lifecycle: operation.isDeprecated ? 'deprecated' : 'available',
    ...(Object.keys(annotations).length > 0 && { annotations }),
    native: { protocol: OPENAPI, definition: { operationId, method, path } },
    provider: { name: api, key: namespace.slice(namespace.indexOf('.') + 1) },
    runsInProcess: false,
    ...(operation.asSent && { asSent: operation.asSent }),
    externalMappings: [
      {
        source: OPENAPI,
        server_id: api,
        ...(operationId !== undefined && { operation_id: operationId }),
        method,
        path,
        ...(server.ok && { server_url: server.url.href }),
        ...(credentials.length > 0 && { security_scheme_refs: [...credentials] }),
      },
    ],
    input: {
      modelSchema: schema,
      validate: checkForeign(schema, { fallback: checkIsObject }),
      fillDefaults: false,
      examples: operation.examples,
    },
    output: output ? { schema: output, validate: lenient(output), mayDiffer: true } : {},
    facts,
    reach: { runs: 'elsewhere', ...(hosts.length > 0 && { hosts }), urlOf: origin.urlOf },
    permission: {
      network_scope: hosts.join(', '),
      ...(credentials.length > 0 && { credential_refs: [...credentials] }),
      rule_matching_fields: ['url', 'domain', 'operation'],
    },
    availability: {
      ...(origin.setupProblem && { setupProblem: origin.setupProblem }),
      ...(origin.required.length > 0 && { sourceCredentials: origin.required }),
    },
    execution: {
      kind: 'http_api',
      timeoutMs: settings.timeoutMs ?? origin.settings.timeoutMs ?? DEFAULT_TIMEOUT_MS,
      isIdempotent,
      ...(isIdempotent && { retries: RETRIES }),
      supports: ['cancel', 'retries'],
      passesCancelOn: true,
    },
    validateValues: origin.validateValues,
    execute: origin.call,
  })
}

function annotationsOf({ tags, hints }: ConfiguredOperation['operation']): Record<string, unknown> {
  return {
    ...(tags.length > 0 && { tags: [...tags] }),
    ...(Object.keys(hints).length > 0 && { hints }),
  }
}

/** `cdn.example.com` of `cdn.example.com:8443`. */
function toHostname(host: string): string {
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : host
}

/** Summary and description, without saying the same twice. */
function descriptionOf({ summary, description, method, path }: ConfiguredOperation['operation']): string {
  if (description === undefined) return summary ?? `${method} ${path}`
  if (summary === undefined || description.toLowerCase().startsWith(summary.toLowerCase().replace(/\.$/, '')))
    return description
  return `${summary}\n\n${description}`
}

/** Tags and path: words that the description may lack. */
function hintOf({ tags, path, method }: ConfiguredOperation['operation']): string {
  const words = path.split(/[/{}]+/).filter((word) => word !== '')
  return [method.toLowerCase(), ...new Set([...tags, ...words])].join(' ').slice(0, 200)
}

function checkIsObject(value: unknown): Validated {
  return isObject(value)
    ? { ok: true, value }
    : { ok: false, issues: [{ path: '', message: 'must be an object' }] }
}

/** Many APIs return more or other than their documents say; the result then says that it was not checked. */
function lenient(schema: NonNullable<ConfiguredOperation['operation']['output']>): Validate {
  const check = checkForeign(schema, { fallback: (value) => ({ ok: true, value }) })
  const orUnchecked = (value: unknown, checked: Validated): Validated =>
    checked.ok ? checked : { ok: true, value, unchecked: true }
  return (value) => {
    const checked = check(value)
    return checked instanceof Promise
      ? checked.then((found) => orUnchecked(value, found))
      : orUnchecked(value, checked)
  }
}
