import { parseCredentialSettings } from '../../credentials/parse-credential-settings.js'
import type { ApiSettings } from './api-settings.js'

const TOOL_NAME = /^[A-Za-z0-9_-]{1,64}$/

/** Why an API cannot be opened with these settings, as the rest of a sentence; undefined where it can. */
export function whyUnusable(settings: ApiSettings): string | undefined {
  const { document, server, headers = {}, credentials = {}, operations = {} } = settings
  return (
    whyNoDocument(document) ??
    (server === undefined ? undefined : whyNoServer(server)) ??
    first(Object.entries(headers), ([name, value]) => whyNoHeader(name, value)) ??
    first(Object.entries(operations), ([key, { name }]) => whyNoName(key, name)) ??
    first(Object.entries(credentials), ([name, given]) => {
      const parsed = parseCredentialSettings(given, `credentials.${name}`)
      return parsed.ok ? undefined : parsed.problems[0]?.replace(/\.$/, '')
    })
  )
}

function first<Item>(items: readonly Item[], why: (item: Item) => string | undefined): string | undefined {
  for (const item of items) {
    const found = why(item)
    if (found !== undefined) return found
  }
  return undefined
}

function whyNoDocument(document: string): string | undefined {
  if (/^(?:https?|file):/i.test(document)) {
    const url = URL.canParse(document) ? new URL(document) : undefined
    if (!url) return 'its "document" is an address that cannot be read'
    return isOpen(url)
      ? undefined
      : 'its "document" is an address with a name or a password, which is not sent'
  }
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(document)
    ? 'its "document" is neither a file nor an http or https address'
    : undefined
}

function whyNoServer(server: string): string | undefined {
  const url = URL.canParse(server) ? new URL(server) : undefined
  if (!url || !/^https?:$/.test(url.protocol))
    return 'its "server" must be an http or https address, such as https://api.example.com/v1'
  return isOpen(url)
    ? undefined
    : 'its "server" holds a name or a password; write them as a credential instead'
}

const isOpen = ({ username, password }: URL): boolean => username === '' && password === ''

function whyNoHeader(name: string, value: string): string | undefined {
  if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name))
    return `"headers" has the name ${JSON.stringify(name)}, which HTTP does not allow`
  // Without the value, which may be a secret.
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(value)
    ? undefined
    : `the value of "headers.${name}" has characters that no header can carry`
}

function whyNoName(key: string, name: string | undefined): string | undefined {
  return name === undefined || TOOL_NAME.test(name)
    ? undefined
    : `"operations.${key}.name" must have at most 64 letters, digits, "_" and "-", and is ${JSON.stringify(name)}`
}
