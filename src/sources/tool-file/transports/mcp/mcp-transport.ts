import { isToolOutput, toolOutput, type ToolOutput } from '../../../../catalog/tool-output.js'
import type { JsonSchema } from '../../../../contract/json-schema.js'
import type { OpenedCredential } from '../../../../credentials/open-credential.js'
import { ownVersion } from '../../../../platform/files/own-package.js'
import { canonicalJson } from '../../../../platform/json/canonical-json.js'
import { isObject } from '../../../../platform/json/is-object.js'
import { createRedactor } from '../../../../redaction/redactor.js'
import { guardCredentials } from '../../../mcp/guard-credentials.js'
import { callTool, type CallPorts } from '../../../mcp/servers/call-tool.js'
import { createServerConnections, type ServerConnections } from '../../../mcp/servers/server-connections.js'
import type { McpTransport } from '../../compiled.js'
import { inOnlyField } from '../only-field.js'
import { createTransportCredentials } from '../transport-credential.js'
import type { OpenedTransport, ToolOn, Transport, TransportEnvironment } from '../transport.js'

/** Tools of MCP servers. Tools with the same address, credential and revision share one connection. */
export function mcpTransport(environment: TransportEnvironment): Transport<'mcp'> {
  const credentials = createTransportCredentials(environment)
  const servers = new Map<string, McpServerParts>()
  const masked = createRedactor({ patterns: false, live: environment.live })
  const connect = guardCredentials(
    async (options) => (await import('../../../mcp/connection/connect.js')).connect(options),
    { text: (text) => masked.text(text), value: (value) => masked.value(value) },
  )

  function create(transport: McpTransport): McpServerParts {
    const { url, protocol_version: protocolVersion } = transport
    const { origin, host, hostname } = new URL(url)
    const credential = credentials.open(transport.credentials, origin)
    const connections = createServerConnections({
      name: host,
      settings: { url, ...(protocolVersion !== undefined && { protocolVersion }) },
      connect,
      credentialsOf: () => credential,
      dialing: {
        clientInfo: { name: 'toolcrib', version: ownVersion() },
        credentials: credential,
        onNotification() {},
      },
      events: { dialing() {}, connected() {}, gone() {}, idle() {} },
      // The tool file describes the tool: the list of the server is not needed.
      listing: { begin() {}, ready: () => undefined, refuseChanged() {} },
    })
    return { host, hostname, credential, connections }
  }

  return {
    type: 'mcp',
    open(tool) {
      const { url, protocol_version: version, credentials: given } = tool.transport
      const key = canonicalJson([url, version, given])
      let server = servers.get(key)
      if (!server) servers.set(key, (server = create(tool.transport)))
      return openMcp(tool, server)
    },
    async close() {
      await Promise.all([...servers.values()].map(({ connections }) => connections.close()))
      await credentials.settled()
    },
  }
}

interface McpServerParts {
  readonly host: string
  readonly hostname: string
  readonly credential: OpenedCredential | undefined
  readonly connections: ServerConnections
}

function openMcp(tool: ToolOn<'mcp'>, server: McpServerParts): OpenedTransport {
  const { host, hostname, credential, connections } = server
  const { tool_name: name } = tool.transport
  const definition = {
    name,
    title: undefined,
    description: undefined,
    inputSchema: { ...tool.input },
    outputSchema: undefined,
    annotations: undefined,
    raw: { name },
  }
  const ports: CallPorts = {
    server: host,
    exchange: connections.exchange,
    programOutput: () => undefined,
    hold: connections.hold,
  }
  return {
    execution: 'mcp_server',
    hosts: [hostname],
    urlOf: () => tool.transport.url,
    ...(credential && { missing: credential.missing }),
    async call(input, context) {
      const output = await callTool(definition, { input: { ...input }, context, ports })
      return isToolOutput(output) ? withData(output, tool.output) : toolOutput({ structured: output })
    },
  }
}

/**
 * Many servers return their data only as a JSON text, which the protocol recommends beside the structure, and many return
 * plain text. Resources of the server cannot be read through a tool file, so that only their addresses stay.
 */
function withData(output: ToolOutput, schema: JsonSchema): ToolOutput {
  const { structured, resourceRefs, failure } = output
  const text = structured === undefined && failure === undefined ? textOf(output) : undefined
  const data = text === undefined ? undefined : (objectIn(text) ?? inOnlyField(schema, text))
  return toolOutput({
    ...output,
    ...(data !== undefined && { structured: data }),
    ...(resourceRefs && { resourceRefs: resourceRefs.map(withoutNative) }),
  })
}

/** The text of an answer that has nothing else. */
function textOf({ content = [] }: ToolOutput): string | undefined {
  const texts = content.flatMap(({ type, text }) => (type === 'text' && text !== undefined ? [text] : []))
  return texts.length > 0 && texts.length === content.length ? texts.join('\n') : undefined
}

function objectIn(text: string): object | undefined {
  if (!/^\s*\{/.test(text)) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function withoutNative(ref: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { native_ref: _, ...rest } = ref
  return rest
}
