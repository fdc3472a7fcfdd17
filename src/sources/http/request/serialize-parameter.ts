import { remember } from '../../../platform/json/remember.js'
import type { CompiledParameter, ParameterPosition, ParameterStyle } from '../http-operation.js'
import { checkCookieName, checkCookieValue } from './check-header.js'
import {
  DELIMITERS,
  expandPairs,
  isDefined,
  toText,
  writeItems,
  writeMembers,
  type Notation,
} from './expand-value.js'
import { isJsonType, toContentText } from './media-type.js'
import { encodeReserved, percentEncode } from './percent-encode.js'

/** A whole query string is no parameter in this sense: it has neither a name nor a style. */
type Position = Exclude<ParameterPosition, 'querystring'>

type PlacedParameter = CompiledParameter & { readonly in: Position }

type Serialize = (value: unknown) => string | undefined

/**
 * The text of a parameter in its position: `name=value` pairs in a query and in cookies, the value alone in a path and in
 * a header. Undefined where there is nothing to send.
 */
export function serializeParameter(parameter: CompiledParameter, value: unknown): string | undefined {
  return serializerOf(parameter)(value)
}

const serializerOf = remember((given: CompiledParameter): Serialize => {
  const parameter = given as PlacedParameter
  const { in: position, mediaType, allowEmptyValue } = parameter
  if (mediaType !== undefined) return contentSerializer(parameter, mediaType)
  const style = styleIn(position, parameter.style)
  const notation = notationOf(parameter, style)
  if (position === 'cookie') return pairSerializer(notation, '; ')
  if (position === 'query') {
    const serialize = pairSerializer(notation, '&')
    if (!allowEmptyValue || style !== 'form') return serialize
    return (value) => serialize(value) ?? `${notation.name}=`
  }
  if (style === 'matrix') return (value) => writeMatrix(notation, value)
  if (style === 'label') return unnamedSerializer(notation, { prefix: '.', between: '.' })
  return unnamedSerializer(notation, { prefix: '', between: notation.delimiter })
})

const STYLES: Readonly<Record<Position, readonly [ParameterStyle, ...ParameterStyle[]]>> = {
  path: ['simple', 'label', 'matrix', 'spaceDelimited', 'pipeDelimited', 'tabDelimited'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'tabDelimited', 'deepObject'],
  header: ['simple', 'spaceDelimited', 'pipeDelimited', 'tabDelimited'],
  cookie: ['form', 'cookie'],
}

/** The style, or the default of a position that does not have this style. */
function styleIn(position: Position, style: ParameterStyle): ParameterStyle {
  const styles = STYLES[position]
  return styles.includes(style) ? style : styles[0]
}

function notationOf(parameter: PlacedParameter, style: ParameterStyle): Notation {
  const { field, name, in: position, explode, allowReserved } = parameter
  const delimiter = DELIMITERS[style] ?? ','
  const common = {
    explode,
    isDeep: style === 'deepObject',
    keepsNull: style === 'form' || style === 'cookie',
  }
  if (position === 'header') return { ...common, name, key: asIs, value: asIs, delimiter }
  if (style === 'cookie')
    return {
      ...common,
      name: checkCookieName(name, field),
      key: (text) => checkCookieName(text, field),
      value: (text) => checkCookieValue(text, field),
      delimiter,
    }
  return {
    ...common,
    name: percentEncode(name),
    key: percentEncode,
    value: allowReserved ? (text) => encodeReserved(text, position) : percentEncode,
    delimiter: delimiter === ',' ? delimiter : percentEncode(delimiter),
  }
}

const asIs = (text: string): string => text

function pairSerializer(notation: Notation, separator: string): Serialize {
  return (value) => {
    if (typeof value !== 'object') return `${notation.name}=${notation.value(toText(value))}`
    const pairs = expandPairs(notation, value)
    return pairs.length === 0 ? undefined : pairs.map((pair) => pair.join('=')).join(separator)
  }
}

/** RFC 6570 writes an empty value in this style without the equals sign. */
function writeMatrix(notation: Notation, value: unknown): string | undefined {
  const pairs = expandPairs(notation, value)
  if (pairs.length === 0) return undefined
  return pairs.map(([name, text]) => (text === '' ? `;${name}` : `;${name}=${text}`)).join('')
}

interface UnnamedLayout {
  readonly prefix: string
  /** Between the values where they are exploded. */
  readonly between: string
}

function unnamedSerializer(notation: Notation, { prefix, between }: UnnamedLayout): Serialize {
  const { explode, delimiter } = notation
  return (value) => {
    if (!isDefined(value)) return undefined
    if (typeof value !== 'object') return prefix + notation.value(toText(value))
    const parts = Array.isArray(value)
      ? writeItems(notation, value)
      : writeMembers(notation, value as object).flatMap((pair) => (explode ? pair.join('=') : pair))
    return parts.length === 0 ? undefined : prefix + parts.join(explode ? between : delimiter)
  }
}

/** A parameter that is described by a media type. */
function contentSerializer(parameter: PlacedParameter, mediaType: string): Serialize {
  const { field, in: position } = parameter
  const name = percentEncode(parameter.name)
  const isJson = isJsonType(mediaType)
  const toContent = (value: unknown): string => toContentText(value, mediaType)
  switch (position) {
    case 'path':
      return (value) => percentEncode(toContent(value))
    case 'query':
      return (value) => `${name}=${percentEncode(toContent(value))}`
    case 'header':
      return (value) => (isJson ? asciiJson(toContent(value)) : toContent(value))
    case 'cookie':
      // JSON has characters that a cookie cannot hold. A text is escaped by the caller.
      if (isJson) return (value) => `${name}=${percentEncode(toContent(value))}`
      return (value) => `${name}=${checkCookieValue(toContent(value), field)}`
  }
}

/** The same JSON in characters that a header can hold. */
function asciiJson(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
