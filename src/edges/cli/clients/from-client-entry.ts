import { serverSchema } from '../../../platform/config/schema/servers-schema.js'
import { canonicalJson } from '../../../platform/json/canonical-json.js'
import { isObject } from '../../../platform/json/is-object.js'

export type ReadEntry = { ok: true; entry: Record<string, unknown> } | { ok: false; why: string }

type Members = Readonly<Record<string, unknown>>

const KNOWN = new Set(Object.keys(serverSchema.properties))

/**
 * A server of a client in the format of Toolcrib's config. Undefined where it is no server. Fields without a meaning
 * here, such as the tools that the client shows, are omitted.
 */
export function fromClientEntry(
  given: unknown,
  { bareUrl }: { bareUrl?: 'sse' } = {},
): ReadEntry | undefined {
  if (!isObject(given)) return undefined
  const program = programOf(given)
  const url = [given['url'], given['serverUrl'], given['httpUrl']].find((each) => typeof each === 'string')
  if (!program && url === undefined) return undefined
  const env = membersOf(given['env'], given['environment'], program?.env)
  const headers = headersOf(given)
  const rest = Object.entries(given).filter(
    ([key]) =>
      KNOWN.has(key) && !['command', 'args', 'env', 'headers', 'url', 'type', 'disabled'].includes(key),
  )
  const type = typeOf(given, { hasProgram: program !== undefined, bareUrl })
  const entry = {
    ...(type !== undefined && { type }),
    ...(program ? { command: program.command, ...(program.args && { args: program.args }) } : { url }),
    ...(env && { env }),
    ...(headers && { headers }),
    ...(Array.isArray(given['env_vars']) && { inheritEnv: given['env_vars'] as unknown[] }),
    ...Object.fromEntries(rest),
    ...((given['disabled'] === true || given['enabled'] === false) && { disabled: true }),
  }
  const words = withReferences(entry) as Record<string, unknown>
  const asked = /\$\{input:[^}]*\}|\{file:[^}]*\}/.exec(JSON.stringify(words))?.[0]
  if (asked !== undefined) return { ok: false, why: `only its client can fill in ${asked}` }
  return { ok: true, entry: words }
}

/** Equal for two entries that mean the same server, in any notation and order. */
export function serverIdentity({ type, command, args, env, url, headers, cwd, disabled }: Members): string {
  const isEmpty = (value: unknown): boolean =>
    value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
  const transport = type === 'sse' ? type : undefined
  const members = {
    transport,
    command,
    args,
    env,
    url,
    headers,
    cwd,
    disabled: disabled === true || undefined,
  }
  return canonicalJson(Object.fromEntries(Object.entries(members).filter(([, value]) => !isEmpty(value))))
}

interface ClientProgram {
  command: string
  args?: unknown[]
  env?: unknown
}

/** A text with arguments beside it, a list, or an object with a path. */
function programOf({ command, args }: Members): ClientProgram | undefined {
  const more = Array.isArray(args) ? (args as unknown[]) : undefined
  if (typeof command === 'string') return { command, ...(more && { args: more }) }
  if (Array.isArray(command) && typeof command[0] === 'string')
    return { command: command[0], args: [...(command.slice(1) as unknown[]), ...(more ?? [])] }
  if (isObject(command) && typeof command['path'] === 'string')
    return {
      command: command['path'],
      ...(Array.isArray(command['args']) && { args: command['args'] as unknown[] }),
      env: command['env'],
    }
  return undefined
}

function typeOf(
  { type, httpUrl }: Members,
  { hasProgram, bareUrl }: { hasProgram: boolean; bareUrl: 'sse' | undefined },
): string | undefined {
  if (typeof httpUrl === 'string') return 'http'
  // `local` and `remote` of single clients add nothing: the other fields show it.
  if (typeof type === 'string' && type !== 'local' && type !== 'remote') return type
  return hasProgram || type === 'remote' ? undefined : bareUrl
}

function headersOf(given: Members): Record<string, unknown> | undefined {
  const named = isObject(given['env_http_headers']) ? Object.entries(given['env_http_headers']) : []
  const variable = given['bearer_token_env_var']
  return membersOf(
    given['headers'],
    given['http_headers'],
    Object.fromEntries(named.map(([name, source]) => [name, `\${${String(source)}}`])),
    typeof variable === 'string' ? { Authorization: `Bearer \${${variable}}` } : undefined,
  )
}

/** All of them as one object; undefined if it would be empty. */
function membersOf(...given: readonly unknown[]): Record<string, unknown> | undefined {
  const members = given.filter(isObject).flatMap((each) => Object.entries(each))
  return members.length > 0 ? Object.fromEntries(members) : undefined
}

/** opencode writes `{env:NAME}`. */
function withReferences(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll(/(?<!\$)\{env:(\w+)\}/g, '${$1}')
  if (Array.isArray(value)) return value.map(withReferences)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withReferences(member)]))
}
