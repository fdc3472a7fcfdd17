import { serverSchema } from '../../../platform/config/servers-schema.js'
import { canonicalJson } from '../../../platform/json/canonical-json.js'

export type ReadEntry = { ok: true; entry: Record<string, unknown> } | { ok: false; why: string }

type Members = Readonly<Record<string, unknown>>

const KNOWN = new Set(Object.keys(serverSchema.properties))

/**
 * A server as a client writes it, in the words of our config. Undefined where it is no server. Words that mean nothing
 * here, such as which tools the client shows, are left out.
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

/** The same for two entries that mean one server, in whichever words and order they are written. */
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

/** As a text with arguments beside it, as one list, or as an object with a path. */
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
  // Words of single clients for what shows anyway.
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

/** All of them as one object; nothing where they have no member. */
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

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
