import { nearestWord } from '../../../platform/config/nearest-word.js'
import type { ApiSettings } from '../api-settings.js'
import type { CompiledDocument } from '../compiled.js'
import { takesValue } from './apply-settings.js'
import { operationTest, unmatched } from './select-operations.js'

type Named = Pick<
  ApiSettings,
  'include' | 'exclude' | 'operations' | 'serverVariables' | 'credentials' | 'defaults' | 'fixed'
>

type Compiled = Pick<CompiledDocument, 'operations' | 'securitySchemes'>

/** A name that the document does not have. */
interface Unknown {
  /** What it would name: `operation`. */
  readonly what: string
  readonly name: string
  /** The key of the settings. */
  readonly key: string
  readonly near: string | undefined
}

/** Names in the settings that the document does not have, as sentences. */
export function misspelled(
  document: Compiled,
  { api, settings }: { api: string; settings: Named },
): string[] {
  const unknown = [
    ...unknownOperations(document, settings),
    ...unknownParameters(document, settings),
    ...unknownVariables(document, settings),
    ...unknownSchemes(document, settings),
  ]
  return unknown.map(({ what, name, key, near }) => {
    const verb = key === 'include' || key === 'exclude' ? 'names' : 'name'
    const advice = near === undefined ? '.' : `; did you mean ${JSON.stringify(near)}?`
    return `The API "${api}" has no ${what} ${JSON.stringify(name)}, which its "${key}" ${verb}${advice}`
  })
}

function unknownOperations({ operations }: Compiled, settings: Named): Unknown[] {
  const { include = [], exclude = [], operations: changed = {} } = settings
  const patterns = { include, exclude, operations: Object.keys(changed) }
  return Object.entries(patterns).flatMap(([key, given]) =>
    unmatched(given, operations).map(({ pattern, near }) => ({
      what: 'operation',
      name: pattern,
      key,
      near,
    })),
  )
}

/** A fixed value that is not sent may be what keeps calls apart. */
function unknownParameters({ operations }: Compiled, settings: Named): Unknown[] {
  const own = Object.entries(settings.operations ?? {}).map(([key, { defaults, fixed }]) => ({
    key: `operations.${key}`,
    values: { ...defaults, ...fixed },
    among: operations.filter(operationTest([key])),
  }))
  const all = [
    { key: 'defaults', values: settings.defaults ?? {}, among: operations },
    { key: 'fixed', values: settings.fixed ?? {}, among: operations },
    ...own.filter(({ among }) => among.length > 0),
  ]
  return all.flatMap(({ key, values, among }) =>
    Object.keys(values)
      .filter((name) => !among.some((operation) => takesValue(operation, name)))
      .map((name) => ({ what: 'parameter', name, key, near: nearestWord(name, parametersOf(among)) })),
  )
}

function parametersOf(operations: Compiled['operations']): Set<string> {
  return new Set(operations.flatMap(({ parameters }) => parameters.map(({ name }) => name)))
}

function unknownVariables({ operations }: Compiled, { serverVariables = {} }: Named): Unknown[] {
  const known = new Set(
    operations.flatMap(({ servers }) =>
      servers.flatMap(({ url }) => [...url.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name!)),
    ),
  )
  return Object.keys(serverVariables)
    .filter((name) => !known.has(name))
    .map((name) => ({
      what: 'variable in its address',
      name,
      key: 'serverVariables',
      near: nearestWord(name, known),
    }))
}

function unknownSchemes({ operations, securitySchemes }: Compiled, { credentials = {} }: Named): Unknown[] {
  // Operations without security get credentials that the document does not know.
  if (operations.some(({ security }) => security.length === 0)) return []
  const known = Object.keys(securitySchemes)
  return Object.keys(credentials)
    .filter((name) => !known.includes(name))
    .map((name) => ({
      what: 'security scheme',
      name,
      key: 'credentials',
      near: nearestWord(name, known) ?? (known.length === 1 ? known[0] : undefined),
    }))
}
