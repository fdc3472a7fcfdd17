import { isObject } from '../../../platform/json/is-object.js'
import type { CompiledServer, ServerVariable } from '../compiled.js'
import type { OperationParts } from './compile-parameters.js'
import { partsIn, textAt, textsIn, type DocumentReader, type Part } from './document-reader.js'

const HERE: CompiledServer = { url: '/', variables: {} }

/** The servers of an operation: its own, else those of its path, else those of the document. */
export function compileServers(
  reader: DocumentReader,
  { pathItems, operation }: OperationParts,
): CompiledServer[] {
  if (reader.dialect === '2.0') return fromSwagger(reader, operation)
  for (const part of [operation, ...pathItems, reader.root]) {
    const servers = partsIn(reader, part, 'servers').flatMap((server) => readServer(server))
    if (servers.length > 0) return servers
  }
  return [HERE]
}

function readServer(part: Part): CompiledServer[] {
  const url = textAt(part, 'url')
  if (url === undefined) return []
  const { variables } = part.value
  const entries = Object.entries(isObject(variables) ? variables : {}).flatMap(
    ([name, variable]): [string, ServerVariable][] => {
      if (!isObject(variable)) return []
      const values = Array.isArray(variable['enum']) ? variable['enum'].map(String) : undefined
      const fallback = variable['default'] ?? values?.[0]
      return fallback === undefined
        ? []
        : [[name, { default: String(fallback), ...(values && { enum: values }) }]]
    },
  )
  return [{ url, variables: Object.fromEntries(entries) }]
}

/** 2.0: schemes, host and base path. Without schemes, that by which the document was loaded. */
function fromSwagger({ root, address }: DocumentReader, { value }: Part): CompiledServer[] {
  const host = textAt(root, 'host')
    ?.trim()
    .replace(/^[a-z]+:\/\//i, '')
    .replace(/\/+$/, '')
  const basePath = `/${(textAt(root, 'basePath') ?? '').trim().replace(/^\/+/, '')}`
  if (host === undefined) return [{ url: basePath, variables: {} }]
  const given = textsIn(value['schemes'] ?? root.value['schemes'])
  const schemes = given
    .map((each) => each.toLowerCase())
    .filter((each) => each === 'https' || each === 'http')
  const usual = address.startsWith('http:') ? 'http' : 'https'
  const scheme = schemes.includes('https') ? 'https' : (schemes[0] ?? usual)
  return [{ url: `${scheme}://${host}${basePath}`, variables: {} }]
}
