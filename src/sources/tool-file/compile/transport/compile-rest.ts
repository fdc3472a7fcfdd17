import { nearestWord } from '../../../../platform/config/nearest-word.js'
import type { RestTransport } from '../../compiled.js'
import { replace, replaceText } from '../../read/edits.js'
import { textField, type Field, type Fields } from '../fields.js'
import { checkAddress, warnOfPlainHttp } from './check-address.js'

export const httpMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/** A method and a path; fields of the input are in braces. */
export const ENDPOINT_PATTERN = String.raw`^(?:${httpMethods.join('|')}) /(?:[^\s#{}]|\{[^{}/\s#]+\})*$`

type OwnFields = Pick<RestTransport, 'type' | 'base_url' | 'endpoint'>

export function compileRest(fields: Fields, scheme: string | undefined): OwnFields | undefined {
  const missing = 'aml/missing-transport-field'
  const base = textField(fields, 'base_url', { missing, wrong: 'aml/invalid-base-url', hasForm: true })
  const endpoint = textField(fields, 'endpoint', {
    missing,
    wrong: 'aml/invalid-endpoint',
    hasForm: true,
    hint: ', such as "POST /send"',
  })
  const address = base && checkBase(fields, base)
  if (base && address && scheme !== undefined) warnOfPlainHttp(fields, base, { scheme, address })
  const parsed = endpoint && parseEndpoint(fields, endpoint)
  if (!address || !base || !parsed) return undefined
  return { type: 'rest-api', base_url: base.value, endpoint: parsed }
}

function checkBase(fields: Fields, base: Field<string>): URL | undefined {
  const address = checkAddress(fields, base, 'aml/invalid-base-url')
  if (!address) return undefined
  if (/[?#]/.test(base.value)) {
    fields.report.add(
      'aml/invalid-base-url',
      base.node,
      '"transport.base_url" must have no query and no fragment.',
    )
    return undefined
  }
  if (!base.value.endsWith('/')) return address
  const bare = base.value.replace(/\/+$/, '')
  fields.report.add(
    'aml/base-url-trailing-slash',
    base.node,
    'Remove the slash at the end of "transport.base_url".',
    replaceText(base.node, bare),
  )
  return undefined
}

function parseEndpoint(fields: Fields, endpoint: Field<string>): RestTransport['endpoint'] | undefined {
  const { value, node } = endpoint
  const [, method = '', path = ''] = /^\s*([A-Za-z]+)\s+(\S.*)$/.exec(value) ?? []
  const wrong = (message: string, fixed?: string): undefined => {
    fields.report.add(
      'aml/invalid-endpoint',
      node,
      message,
      fixed === undefined ? undefined : replace(node, JSON.stringify(fixed), `Change it to ${fixed}`),
    )
    return undefined
  }
  if (method === '') return wrong('"transport.endpoint" must be a method and a path, such as "POST /send".')
  const known = httpMethods.find((each) => each === method)
  if (!known) {
    const near = nearestWord(method, httpMethods)
    const fixed = near !== undefined && path.startsWith('/') ? `${near} ${path}` : undefined
    return wrong(`The method in "transport.endpoint" must be one of ${httpMethods.join(', ')}.`, fixed)
  }
  if (!path.startsWith('/')) {
    const fixed = /^[\w{]/.test(path) && !path.includes('://') ? `${known} /${path}` : undefined
    return wrong('The path in "transport.endpoint" must begin with "/".', fixed)
  }
  if (value !== `${known} ${path}`)
    return wrong(
      '"transport.endpoint" must have one space between method and path.',
      `${known} ${path.trim()}`,
    )
  if (new RegExp(ENDPOINT_PATTERN).test(value)) return { method: known, path }
  if (/[\s#]/.test(path))
    return wrong('The path in "transport.endpoint" must have no spaces and no fragment.')
  return wrong('Each "{" in the path of "transport.endpoint" must be closed, with a field in between.')
}
