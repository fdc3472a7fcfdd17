import { isObject } from '../../../platform/json/is-object.js'
import type { OAuthFlows, SecurityAlternative, SecurityScheme } from '../compiled.js'
import { partAt, textAt, textsIn, toPart, type DocumentReader, type Part } from './document-reader.js'

/** By name. Names that are addresses are added when an operation needs them. */
export type SecuritySchemes = Map<string, SecurityScheme>

/** The security schemes that a document defines. */
export function compileSchemes(reader: DocumentReader): SecuritySchemes {
  const components = partAt(reader, reader.root, 'components')
  const lists = [
    partAt(reader, reader.root, 'securityDefinitions'),
    components && partAt(reader, components, 'securitySchemes'),
  ]
  const schemes: SecuritySchemes = new Map()
  for (const list of lists)
    for (const name of Object.keys(list?.value ?? {})) {
      const scheme = partAt(reader, list!, name)
      if (scheme) schemes.set(name, readScheme(reader, scheme))
    }
  return schemes
}

function readScheme(reader: DocumentReader, part: Part): SecurityScheme {
  const { type, scheme } = part.value
  const position = typeof part.value['in'] === 'string' ? part.value['in'].toLowerCase() : undefined
  const name = textAt(part, 'name')
  const url = textAt(part, 'openIdConnectUrl')
  // Some documents write the types with other capitals.
  switch (typeof type === 'string' ? type.toLowerCase() : type) {
    case 'apikey':
      if (name !== undefined && (position === 'header' || position === 'query' || position === 'cookie'))
        return { type: 'apiKey', in: position, name }
      return { type: 'unsupported', of: 'apiKey' }
    case 'basic': // 2.0
      return { type: 'http', scheme: 'basic' }
    case 'http':
      return { type: 'http', scheme: typeof scheme === 'string' ? scheme.trim().toLowerCase() : 'bearer' }
    case 'oauth2':
      return { type: 'oauth2', flows: readFlows(reader, part) }
    case 'openidconnect':
      return url === undefined ? { type: 'unsupported', of: 'openIdConnect' } : { type: 'openIdConnect', url }
    default: // mutualTLS, or a type that no version of OpenAPI defines
      reader.problem(part.at, `its type ${JSON.stringify(type)} is not supported`)
      return { type: 'unsupported', of: typeof type === 'string' ? type : 'unknown' }
  }
}

const GRANTS = {
  authorizationCode: 'authorization_code',
  accessCode: 'authorization_code', // 2.0
  clientCredentials: 'client_credentials',
  application: 'client_credentials', // 2.0
  deviceAuthorization: 'device_code', // 3.2
} as const

const isUsable = (name: string): name is keyof typeof GRANTS => Object.hasOwn(GRANTS, name)

function readFlows(reader: DocumentReader, part: Part): OAuthFlows {
  const flows = partAt(reader, part, 'flows')
  const { flow } = part.value
  const given = flows
    ? Object.keys(flows.value).flatMap((name) => {
        const found = partAt(reader, flows, name)
        return found ? [{ name, part: found }] : []
      })
    : [{ name: String(flow), part }]
  // The addresses of a flow that can be used come before those of the others.
  const sorted = given.toSorted((a, b) => Number(isUsable(b.name)) - Number(isUsable(a.name)))
  const texts = (name: string): string | undefined =>
    sorted.map((each) => textAt(each.part, name)).find((text) => text !== undefined)
  const scopes = given.flatMap(({ part: { value } }) =>
    isObject(value['scopes']) ? Object.keys(value['scopes']) : [],
  )
  return {
    authorizationUrl: texts('authorizationUrl'),
    tokenUrl: texts('tokenUrl'),
    deviceAuthorizationUrl: texts('deviceAuthorizationUrl'),
    grants: [...new Set(given.flatMap(({ name }) => (isUsable(name) ? GRANTS[name] : [])))],
    scopes: [...new Set(scopes)],
  }
}

export interface SecurityParts {
  readonly operation: Part
  readonly schemes: SecuritySchemes
}

/** What an operation needs: its own requirement, else that of the document. */
export function compileSecurity(
  reader: DocumentReader,
  { operation, schemes }: SecurityParts,
): SecurityAlternative[] {
  const { root } = reader
  const own = operation.value['security']
  const from = Array.isArray(own) ? operation : root
  const required = from.value['security']
  if (!Array.isArray(required)) return []
  const alternatives = required.filter(isObject).map((alternative) =>
    Object.fromEntries(
      Object.entries(alternative).map(([name, scopes]) => {
        if (!schemes.has(name)) addScheme(reader, { name, from, schemes })
        return [name, textsIn(scopes)]
      }),
    ),
  )
  // "Nothing is needed" alone is the same as no requirement.
  return alternatives.every((each) => Object.keys(each).length === 0) ? [] : alternatives
}

/** Since 3.2, a requirement can name a scheme by its address. */
function addScheme(
  reader: DocumentReader,
  { name, from, schemes }: { name: string; from: Part; schemes: SecuritySchemes },
): void {
  const target = /[#/]/.test(name) ? reader.references.find(name, from.base) : undefined
  const part = target && toPart(reader, { ...target, at: `${from.at}/security` })
  if (part) return void schemes.set(name, readScheme(reader, part))
  reader.problem(from.at, `it needs the security scheme "${name}", which the document does not define`)
  schemes.set(name, { type: 'not_defined' })
}
