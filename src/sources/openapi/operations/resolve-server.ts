import type { Reach } from '../../../http-client/address-rules.js'
import type { ApiSettings } from '../api-settings.js'
import type { CompiledServer } from '../compiled.js'

export type ResolvedServer =
  | { readonly ok: true; readonly url: URL; readonly reach: Reach }
  /** The rest of a sentence about the operation. */
  | { readonly ok: false; readonly why: string }

export interface ServerOptions {
  readonly settings: Pick<ApiSettings, 'server' | 'serverVariables'>
  /** The address of the document, which relative addresses start from. */
  readonly address: string
}

/**
 * The address that an operation is sent to: the one in the config, else the first usable one of the document. Only what
 * the config names (the server, or the host of the document) may be on this machine or in its network.
 */
export function resolveServer(
  servers: readonly CompiledServer[],
  { settings, address }: ServerOptions,
): ResolvedServer {
  const { server, serverVariables = {} } = settings
  if (server !== undefined) {
    const url = httpUrl(server)
    return url
      ? { ok: true, url, reach: 'named' }
      : { ok: false, why: `its "server" ${JSON.stringify(server)} is no http or https address` }
  }
  const base = httpUrl(address)
  // The query of the document's address may hold a token, and is no part of the API's.
  if (base) base.search = ''
  let why: string | undefined
  for (const each of servers) {
    const filled = fill(each, serverVariables)
    const url = filled.ok ? httpUrl(filled.text, base) : undefined
    // A password in an address would be in every record.
    if (url && url.username === '' && url.password === '')
      return { ok: true, url, reach: base !== undefined && url.origin === base.origin ? 'named' : 'outside' }
    if (!filled.ok) why ??= filled.why
    else if (url) why ??= 'it holds a name or a password; write it without them into the config as "server"'
  }
  return {
    ok: false,
    why: why ?? 'the document names none; write it into the config as "server" of the API',
  }
}

type Filled = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly why: string }

function fill({ url, variables }: CompiledServer, given: Readonly<Record<string, string>>): Filled {
  let why: string | undefined
  const text = url.replaceAll(/\{([^{}]+)\}/g, (whole, name: string) => {
    const variable = Object.hasOwn(variables, name) ? variables[name] : undefined
    const value = Object.hasOwn(given, name) ? given[name] : undefined
    if (value !== undefined && variable?.enum && !variable.enum.includes(value))
      why ??= `"serverVariables.${name}" must be one of ${variable.enum.join(', ')}`
    const chosen = value ?? variable?.default
    if (chosen === undefined)
      why ??= `it needs a value for "${name}"; write it into the config as "serverVariables"`
    return chosen ?? whole
  })
  return why === undefined ? { ok: true, text } : { ok: false, why }
}

function httpUrl(text: string, base?: URL): URL | undefined {
  if (!URL.canParse(text, base?.href)) return undefined
  const url = new URL(text, base)
  return url.protocol === 'https:' || url.protocol === 'http:' ? url : undefined
}
