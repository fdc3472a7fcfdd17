import { amlTransports, type AmlTransport } from '../../../../credentials/scheme-of-transport.js'
import {
  databaseEngines,
  type DatabaseTransport,
  type LambdaTransport,
  type McpTransport,
  type ToolTransport,
} from '../../compiled.js'
import { choiceField, reportUnknown, textField, type Fields } from '../fields.js'
import { checkAddress, warnOfPlainHttp } from './check-address.js'
import { checkFunctionId, cloudProviders } from './function-id.js'
import { compileCredentials } from './compile-credentials.js'
import { compileQueue } from './compile-queue.js'
import { compileRest } from './compile-rest.js'
import { compileParts, SHARED_FIELDS } from './transport-parts.js'

export const invocationTypes = ['RequestResponse', 'Event'] as const
export const payloadFormats = ['json', 'raw'] as const
export const queryMethods = ['parameterised-sql', 'orm'] as const

/** The fields of each transport beside those that all have. */
export const transportFields: Readonly<Record<AmlTransport, readonly string[]>> = {
  'rest-api': ['base_url', 'endpoint'],
  lambda: ['provider', 'function_id', 'invocation_type', 'payload_format'],
  mcp: ['url', 'tool_name', 'protocol_version'],
  'message-queue': ['provider', 'queue_url', 'message_format', 'response_queue_url'],
  database: ['engine', 'query_method'],
}

/** `transport`: how the tool is called. */
export function compileTransport(fields: Fields): ToolTransport | undefined {
  const type = choiceField(fields, 'type', {
    of: amlTransports,
    missing: 'aml/missing-transport-field',
    wrong: 'aml/invalid-transport-type',
  })
  const all = Object.values(transportFields).flat()
  reportUnknown(fields, [
    ...SHARED_FIELDS,
    ...(type ? transportFields[type.value] : []),
    ...(type ? foreign(fields, type.value) : all),
  ])
  const parts = compileParts(fields)
  if (!type) return undefined
  const engine = fields.node.members?.get('engine')?.node.value
  const credentials = compileCredentials(fields, {
    type: type.value,
    ...(typeof engine === 'string' && { engine }),
  })
  const own = compileOwn(fields, type.value, credentials?.scheme)
  return own && credentials && ({ ...own, ...parts, credentials } as ToolTransport)
}

/** Reports fields of other transports; returns their names. */
function foreign(fields: Fields, type: AmlTransport): string[] {
  const names = [...(fields.node.members ?? [])].flatMap(([name, { key }]) => {
    const owners = amlTransports.filter((each) => transportFields[each].includes(name))
    if (owners.length === 0 || owners.includes(type)) return []
    fields.report.add(
      'aml/foreign-transport-field',
      key,
      `Remove "transport.${name}"; it belongs to ${owners.join(' and ')}.`,
    )
    return [name]
  })
  return names
}

function compileOwn(fields: Fields, type: AmlTransport, scheme: string | undefined): object | undefined {
  switch (type) {
    case 'rest-api':
      return compileRest(fields, scheme)
    case 'lambda':
      return compileLambda(fields)
    case 'mcp':
      return compileMcp(fields, scheme)
    case 'message-queue':
      return compileQueue(fields)
    case 'database':
      return compileDatabase(fields)
  }
}

/** A transport without the parts that all have. */
type Own<Transport> = Omit<Transport, 'timeout_ms' | 'retry_policy' | 'credentials'>

function compileLambda(fields: Fields): Own<LambdaTransport> | undefined {
  const missing = 'aml/missing-transport-field'
  const provider = choiceField(fields, 'provider', {
    of: cloudProviders,
    missing,
    wrong: 'aml/invalid-provider',
  })
  const id = textField(fields, 'function_id', { missing, wrong: 'aml/invalid-function-id', hasForm: true })
  const invocation = choiceField(fields, 'invocation_type', {
    of: invocationTypes,
    missing,
    wrong: 'aml/invalid-invocation-type',
  })
  const format = choiceField(fields, 'payload_format', {
    of: payloadFormats,
    wrong: 'aml/invalid-payload-format',
  })
  if (provider && id) checkFunctionId(fields, { id, provider: provider.value })
  if (!provider || !id || !invocation) return undefined
  return {
    type: 'lambda',
    provider: provider.value,
    function_id: id.value,
    invocation_type: invocation.value,
    payload_format: format?.value ?? 'json',
  }
}

function compileMcp(fields: Fields, scheme: string | undefined): Own<McpTransport> | undefined {
  const missing = 'aml/missing-transport-field'
  const url = textField(fields, 'url', { missing, wrong: 'aml/invalid-url', hasForm: true })
  const tool = textField(fields, 'tool_name', { missing })
  const version = textField(fields, 'protocol_version', {
    wrong: 'aml/invalid-protocol-version',
    hasForm: true,
  })
  const address = url && checkAddress(fields, url, 'aml/invalid-url')
  if (url && address && scheme !== undefined) warnOfPlainHttp(fields, url, { scheme, address })
  if (version && !/^\d{4}-\d{2}-\d{2}$/.test(version.value))
    fields.report.add(
      'aml/invalid-protocol-version',
      version.node,
      '"transport.protocol_version" must be the date of a revision of MCP, such as "2025-06-18".',
    )
  if (!url || !address || !tool) return undefined
  return {
    type: 'mcp',
    url: url.value,
    tool_name: tool.value,
    ...(version && { protocol_version: version.value }),
  }
}

function compileDatabase(fields: Fields): Own<DatabaseTransport> | undefined {
  const missing = 'aml/missing-transport-field'
  const engine = choiceField(fields, 'engine', { of: databaseEngines, missing, wrong: 'aml/invalid-engine' })
  const method = choiceField(fields, 'query_method', {
    of: queryMethods,
    missing,
    wrong: 'aml/invalid-query-method',
  })
  return engine && method && { type: 'database', engine: engine.value, query_method: method.value }
}
