import { remember } from '../../../platform/json/remember.js'
import type { HttpOperation, CompiledParameter } from '../http-operation.js'
import { checkHeaderValue, isHeaderName, isIgnoredHeader } from './check-header.js'
import { encodeBody } from './encode-body.js'
import { encodeForm } from './encode-form.js'
import { invalidRequest } from './invalid-request.js'
import { essenceOf, toContentText } from './media-type.js'
import { encodeReserved, percentEncode } from './percent-encode.js'
import { serializeParameter } from './serialize-parameter.js'
import { parsePath, writePath, writePathQuery, type PathTemplate } from './write-path.js'

export interface BuildOptions {
  readonly input: Readonly<Record<string, unknown>>
  readonly baseUrl: URL
}

export interface BuiltRequest {
  readonly method: string
  /** Path and query as they must be sent. A `URL` would change some of it. */
  readonly url: string
  /** The header parameters, with names in lower case. The body's type and the cookies are not among them. */
  readonly headers: Readonly<Record<string, string>>
  /** The value of the Cookie header. */
  readonly cookies: string | undefined
  readonly body: string | Buffer | undefined
  readonly contentType: string | undefined
}

/** The request for a call of an operation. Throws with a sentence where the input cannot be sent as it is. */
export function buildRequest(operation: HttpOperation, options: BuildOptions): BuiltRequest {
  const { input } = options
  const plan = planOf(operation)
  const { headers, cookies } = plan
  return {
    method: operation.method,
    url: writeUrl(plan, options),
    headers: headers.length === 0 ? NO_HEADERS : writeHeaders(headers, input),
    cookies: cookies.length === 0 ? undefined : writeCookies(cookies, input),
    ...(operation.body ? encodeBody(operation.body, input) : NO_BODY),
  }
}

type Input = BuildOptions['input']

const NO_HEADERS: BuiltRequest['headers'] = Object.freeze({})
const NO_BODY = { body: undefined, contentType: undefined }

/** The parts of an operation by their position. */
interface RequestPlan {
  readonly path: PathTemplate
  readonly query: readonly CompiledParameter[]
  readonly headers: readonly CompiledParameter[]
  readonly cookies: readonly CompiledParameter[]
}

const planOf = remember((operation: HttpOperation): RequestPlan => {
  const { parameters } = operation
  return {
    path: parsePath(operation),
    query: parameters.filter((each) => each.in === 'query' || each.in === 'querystring'),
    headers: parameters.filter((each) => each.in === 'header' && !isIgnoredHeader(each.name)),
    cookies: parameters.filter((each) => each.in === 'cookie'),
  }
})

function writeUrl({ path, query }: RequestPlan, { input, baseUrl }: BuildOptions): string {
  const { pathname, search } = baseUrl
  let url = (pathname.endsWith('/') ? pathname.slice(0, -1) : pathname) + writePath(path, input)
  if (!url.startsWith('/')) url = `/${url}`
  let mark = '?'
  const add = (text: string | undefined): void => {
    if (text === undefined || text === '') return
    url += mark + text
    mark = '&'
  }
  if (search !== '') add(search.slice(1))
  if (path.query.length > 0) add(writePathQuery(path, input))
  for (const parameter of query) {
    const value = valueOf(parameter, input)
    if (value === undefined) continue
    add(parameter.in === 'query' ? serializeParameter(parameter, value) : toQueryString(parameter, value))
  }
  return url
}

function valueOf({ field }: CompiledParameter, input: Input): unknown {
  return Object.hasOwn(input, field) ? input[field] : undefined
}

/** The whole query string, from a value of a media type. */
function toQueryString({ mediaType = 'application/json' }: CompiledParameter, value: unknown): string {
  if (essenceOf(mediaType) !== 'application/x-www-form-urlencoded')
    return percentEncode(toContentText(value, mediaType))
  if (typeof value === 'object' && value !== null) return encodeForm(value, {})
  return encodeReserved(toContentText(value, undefined), 'querystring')
}

function writeHeaders(parameters: readonly CompiledParameter[], input: Input): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const parameter of parameters) {
    const { name, field } = parameter
    const value = valueOf(parameter, input)
    const text = value === undefined ? undefined : serializeParameter(parameter, value)
    if (text === undefined) continue
    if (!isHeaderName(name))
      throw invalidRequest(
        `The header parameter "${field}" has a name that HTTP does not allow: correct the API document.`,
      )
    headers[name.toLowerCase()] = checkHeaderValue(text, field)
  }
  return headers
}

function writeCookies(parameters: readonly CompiledParameter[], input: Input): string | undefined {
  const texts = parameters.flatMap((parameter) => {
    const value = valueOf(parameter, input)
    return value === undefined ? [] : (serializeParameter(parameter, value) ?? [])
  })
  return texts.length === 0 ? undefined : texts.join('; ')
}
