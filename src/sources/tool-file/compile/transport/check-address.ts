import { replace } from '../../read/edits.js'
import type { Field, Fields } from '../fields.js'
import type { RuleCode } from '../rules.js'

/** An http or https address; a name or a password before `@` has its own problem. */
export const ADDRESS_PATTERN = String.raw`^https?://[^/\s?#]+(?:[/?#]\S*)?$`

/** Checks an http or https address; undefined where it is none. */
export function checkAddress(fields: Fields, field: Field<string>, code: RuleCode): URL | undefined {
  const { value, node } = field
  const name = [...(fields.node.members ?? [])].find(([, member]) => member.node === node)?.[0] ?? 'address'
  const path = `${fields.path}.${name}`
  const isAddress = new RegExp(ADDRESS_PATTERN).test(value) && URL.canParse(value)
  if (!isAddress) {
    fields.report.add(code, node, `"${path}" must be an http or https address.`, withScheme(field))
    return undefined
  }
  if (/^https?:\/\/[^/?#]*@/.test(value)) {
    fields.report.add('aml/secret-in-file', node, `"${path}" must not contain a user name or a password.`)
    return undefined
  }
  return new URL(value)
}

/** An address without its scheme is clear where it begins with the name of a host. */
function withScheme({ value, node }: Field<string>): ReturnType<typeof replace> | undefined {
  const isHost = /^(?:[\w-]+\.)+[a-z]{2,}(?:[:/]\S*)?$/i.test(value)
  return isHost
    ? replace(node, JSON.stringify(`https://${value}`), `Change it to https://${value}`)
    : undefined
}

/** Warns of a secret that others on the way can read. */
export function warnOfPlainHttp(
  fields: Fields,
  field: Field<string>,
  { scheme, address }: { scheme: string; address: URL },
): void {
  if (address.protocol !== 'http:' || scheme === 'none') return
  if (/^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(address.hostname)) return
  fields.report.add(
    'aml/plain-http',
    field.node,
    'A secret is sent to this address without encryption; use https.',
  )
}
