import { remember } from '../../../platform/json/remember.js'
import type { BodyContent, CompiledParameter, PartEncoding } from '../http-operation.js'
import { isDefined } from './expand-value.js'
import { toContentText } from './media-type.js'
import { formEncode } from './percent-encode.js'
import { serializeParameter } from './serialize-parameter.js'

type Encodings = BodyContent['encoding']

/** An object as `application/x-www-form-urlencoded`. Members that are null are left out. */
export function encodeForm(value: object, encodings: Encodings): string {
  const parameters = parametersOf(encodings)
  return Object.entries(value)
    .filter(([, member]) => isDefined(member))
    .flatMap(([name, member]) => {
      const parameter = parameters.get(name)
      if (parameter) return serializeParameter(parameter, member) ?? []
      const { contentType } = encodingOf(encodings, name)
      return toItems(member).map(
        (item) => `${formEncode(name)}=${formEncode(toContentText(item, contentType))}`,
      )
    })
    .join('&')
}

export function encodingOf(encodings: Encodings, name: string): PartEncoding {
  return Object.hasOwn(encodings, name) ? (encodings[name] ?? {}) : {}
}

/** Each item of a list is encoded on its own. */
export function toItems(member: unknown): readonly unknown[] {
  return Array.isArray(member) ? member.filter(isDefined) : [member]
}

/** Whether a property is written in a style of parameters instead of as a media type. */
export function hasStyle({ style, explode, allowReserved }: PartEncoding): boolean {
  return style !== undefined || explode !== undefined || allowReserved !== undefined
}

const parametersOf = remember((encodings: Encodings): ReadonlyMap<string, CompiledParameter> => {
  const styled = Object.entries(encodings).filter(([, encoding]) => hasStyle(encoding))
  return new Map(styled.map(([name, encoding]) => [name, toParameter(name, encoding)]))
})

function toParameter(name: string, encoding: PartEncoding): CompiledParameter {
  const { style = 'form', explode = style === 'form', allowReserved = false } = encoding
  return {
    field: name,
    name,
    in: 'query',
    isRequired: false,
    style,
    explode,
    allowReserved,
    allowEmptyValue: false,
    mediaType: undefined,
  }
}
