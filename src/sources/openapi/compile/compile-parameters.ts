import type { CompiledParameter, ParameterPosition, ParameterStyle } from '../../http/http-operation.js'
import type { Located } from '../document/references.js'
import { isIgnoredHeader } from '../../http/request/check-header.js'
import { partOrEmptyAt, partAt, partsIn, textAt, type DocumentReader, type Part } from './document-reader.js'
import { hasOtherScript } from './name-operations.js'
import { inputFields } from './input-fields.js'

/** A parameter with the schema of its value. */
export interface ReadParameter {
  readonly parameter: CompiledParameter
  readonly schema: Located
  readonly description: string | undefined
  readonly isDeprecated: boolean
  /** What the document says about it. */
  readonly part: Part
}

export interface OperationParts {
  readonly path: string
  /** What the document says about the path: itself, then what it refers to. */
  readonly pathItems: readonly Part[]
  readonly operation: Part
}

const POSITIONS = ['path', 'query', 'querystring', 'header', 'cookie'] as const satisfies ParameterPosition[]
const STYLES: Readonly<Record<ParameterPosition, readonly [ParameterStyle, ...ParameterStyle[]]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  querystring: ['form'],
  header: ['simple'],
  cookie: ['form', 'cookie'],
}

/** The parameters of an operation: its own, and those of its path that it does not replace. Body parameters are apart. */
export function compileParameters(reader: DocumentReader, parts: OperationParts): ReadParameter[] {
  const byKey = new Map<string, Part>()
  for (const part of describedParameters(reader, parts)) {
    const name = part.value['name']
    const position = positionOf(part)
    if (position === 'body' || position === 'formdata') continue
    if (typeof name !== 'string' || name === '' || !isPosition(position)) {
      reader.problem(
        part.at,
        'it has no name, or is in none of path, query, header and cookie; it is left out',
      )
      continue
    }
    if (position === 'header' && isIgnoredHeader(name)) continue
    byKey.set(`${position} ${name}`, { ...part, value: { ...part.value, in: position } })
  }
  const wanted = matchPath(byKey, parts, reader)
  const sorted = wanted.toSorted((a, b) => orderOf(a) - orderOf(b))
  const fields = inputFields(
    sorted.map(({ value }) => ({ name: value['name'] as string, position: value['in'] as string })),
  )
  return sorted.map((part, index) => read(reader, part, fields[index]!))
}

/** All parameters that the document names for an operation. The last one of a name and position counts. */
export function describedParameters(
  reader: DocumentReader,
  { pathItems, operation }: OperationParts,
): Part[] {
  return [...pathItems.toReversed(), operation].flatMap((part) => partsIn(reader, part, 'parameters'))
}

/** Some documents write the position with capitals. */
export function positionOf({ value }: Part): string | undefined {
  return typeof value['in'] === 'string' ? value['in'].trim().toLowerCase() : undefined
}

function isPosition(value: unknown): value is ParameterPosition {
  return (POSITIONS as readonly unknown[]).includes(value)
}

/**
 * Brings parameters and the variables of the path together. A variable without a parameter is one all the same: the
 * request cannot be made without it. A parameter without a variable has no effect.
 */
function matchPath(
  byKey: Map<string, Part>,
  { path, pathItems: [pathItem], operation }: OperationParts,
  { problem }: DocumentReader,
): Part[] {
  const variables = new Set([...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name))
  const query = path.includes('?') ? path.slice(path.indexOf('?')) : ''
  const found: Part[] = []
  for (const name of variables) {
    const key = keyFor(byKey, { name, isInQuery: query.includes(`{${name}}`) })
    const part = key === undefined ? undefined : byKey.get(key)
    if (key !== undefined) byKey.delete(key)
    if (part) {
      const isReserved = name.startsWith('+') || part.value['allowReserved'] === true
      found.push({ ...part, value: { ...part.value, name, in: 'path', allowReserved: isReserved } })
      continue
    }
    problem(pathItem!.at, `its path has {${name}}, which no parameter describes; it is taken as a text`)
    const value = { name, in: 'path', required: true, schema: { type: 'string' }, type: 'string' }
    found.push({ value, base: pathItem!.base, at: pathItem!.at })
  }
  const others = [...byKey.values()].filter(({ value }) => {
    if (value['in'] !== 'path') return true
    problem(operation.at, `its parameter "${value['name'] as string}" is not in its path; it is left out`)
    return false
  })
  return [...found, ...others]
}

/** The parameter of a variable such as `{id}`, `{id:[0-9]+}` or `{+id}`; in a query such as `?id={id}` also one of the query. */
function keyFor(
  byKey: ReadonlyMap<string, Part>,
  { name, isInQuery }: { name: string; isInQuery: boolean },
): string | undefined {
  const bare = /^[+#./;?&]?([^:*]+)/.exec(name)?.[1]?.trim() ?? name
  const positions = isInQuery ? ['path', 'query'] : ['path']
  const wanted = positions.flatMap((position) => [`${position} ${name}`, `${position} ${bare}`])
  const exact = wanted.find((key) => byKey.has(key))
  if (exact !== undefined) return exact
  const folded = `path ${bare}`.toLowerCase()
  return [...byKey.keys()].find((key) => key.toLowerCase() === folded)
}

const orderOf = ({ value }: Part): number => POSITIONS.indexOf(value['in'] as ParameterPosition)

function read(reader: DocumentReader, part: Part, field: string): ReadParameter {
  const { value } = part
  const position = value['in'] as ParameterPosition
  const content = partAt(reader, part, 'content')
  const [mediaType] = content ? Object.keys(content.value) : []
  const media = mediaType === undefined ? undefined : partOrEmptyAt(reader, content!, mediaType)
  return {
    parameter: {
      field,
      name: value['name'] as string,
      in: position,
      isRequired: position === 'path' || value['required'] === true,
      ...notationOf(reader, part, position),
      allowReserved: value['allowReserved'] === true,
      allowEmptyValue: value['allowEmptyValue'] === true,
      mediaType: position === 'querystring' ? (mediaType ?? 'application/x-www-form-urlencoded') : mediaType,
    },
    schema: schemaOf(part, media),
    description: descriptionOf(part),
    isDeprecated: value['deprecated'] === true,
    part,
  }
}

/** The name of the input's member says nothing where the parameter's name is in another script. */
function descriptionOf(part: Part): string | undefined {
  const name = part.value['name'] as string
  const description = textAt(part, 'description')
  if (!hasOtherScript(name)) return description
  return description === undefined ? name : `${name}: ${description}`
}

function notationOf(
  { dialect }: DocumentReader,
  { value }: Part,
  position: ParameterPosition,
): Pick<CompiledParameter, 'style' | 'explode'> {
  const { style: given, explode, collectionFormat } = value
  const allowed = STYLES[position]
  if (dialect === '2.0' || (typeof collectionFormat === 'string' && given === undefined))
    return { style: collectionStyle(collectionFormat, allowed[0]), explode: collectionFormat === 'multi' }
  const style = allowed.find((each) => each === given) ?? allowed[0]
  const isExploded = typeof explode === 'boolean' ? explode : style === 'form' || style === 'cookie'
  return { style, explode: isExploded }
}

/** The style of a list in 2.0. */
export function collectionStyle(collectionFormat: unknown, usual: ParameterStyle): ParameterStyle {
  switch (collectionFormat) {
    case 'ssv':
      return 'spaceDelimited'
    case 'tsv':
      return 'tabDelimited'
    case 'pipes':
      return 'pipeDelimited'
    default: // csv, multi, or none
      return usual
  }
}

/** 3.x: under `schema` or `content`. 2.0: the parameter itself. */
function schemaOf({ value, base }: Part, media: Part | undefined): Located {
  if (media) return { value: media.value['schema'] ?? media.value['itemSchema'] ?? {}, base: media.base }
  if (value['schema'] !== undefined) return { value: value['schema'], base }
  const { name: _name, in: _in, required: _required, description: _description, ...schema } = value
  return { value: schema, base }
}
