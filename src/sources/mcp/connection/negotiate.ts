import { isObject } from '../../../platform/json/is-object.js'
import type { JsonObject, JsonRpcResponse } from '../protocol/json-rpc.js'
import { mcpErrorCodes } from '../protocol/mcp-error.js'
import { metaKeys } from '../protocol/meta-keys.js'
import { eraOf, LATEST_LEGACY, LATEST_MODERN, legacyRevisions } from '../protocol/revisions.js'
import { cleanText } from '../../../platform/text/clean-text.js'
import { cleanDefinition } from '../clean-definition.js'
import type { ConnectOptions, ServerFacts } from './connection.js'
import { sessionCapabilities } from './declared-capabilities.js'
import { isFailure } from './is-failure.js'
import { envelope } from './request-meta.js'
import type { ExchangeOptions, Wire } from '../wire/wire.js'

/**
 * How long a program may take to answer in the later era before it also gets the earlier era's handshake. Its first
 * answer then decides, so that a server that only starts slowly is still understood.
 */
const STDIO_PROBE_MS = 1500
/** How long an HTTP server may take to answer the probe. */
const HTTP_PROBE_MS = 5000
const MAX_INSTRUCTIONS_CHARS = 10_000

/** The server does not support this era; another way may still work. */
class EraUnsupported extends Error {}

/** Detects the era of the server, the later one first, and completes the handshake. */
export async function negotiate(
  wire: Wire,
  options: ConnectOptions,
  opening: 'probe' | 'initialize',
): Promise<ServerFacts> {
  const pinned = options.settings.protocolVersion
  if (pinned !== undefined && eraOf(pinned) === undefined)
    throw new Error(`"protocolVersion" ${JSON.stringify(pinned)} is not supported.`)
  if (pinned !== undefined && eraOf(pinned) === 'legacy') return initialize(wire, options, pinned)
  if (pinned !== undefined) return discover(wire, options, { signal: options.signal })
  // The SSE transport is older than the later era.
  if (wire.kind === 'sse' || opening === 'initialize') return initialize(wire, options, LATEST_LEGACY)
  return wire.kind === 'stdio' ? probeProgram(wire, options) : probeAddress(wire, options)
}

async function probeProgram(wire: Wire, options: ConnectOptions): Promise<ServerFacts> {
  const probe = discover(wire, options, { signal: options.signal })
  const isSilent = await Promise.race([
    probe.then(
      () => false,
      () => false,
    ),
    delay(STDIO_PROBE_MS),
  ])
  if (!isSilent)
    return probe.catch((error: unknown) => {
      if (!(error instanceof EraUnsupported)) throw error
      return initialize(wire, options, LATEST_LEGACY)
    })
  const initializing = initialize(wire, options, LATEST_LEGACY)
  // A server that is only slow reads both, and refuses the one that it does not support.
  const facts = await Promise.any([
    initializing,
    probe.then((found) => delay(STDIO_PROBE_MS).then(() => found)),
  ]).catch(() => initializing)
  wire.setRevision(facts)
  return facts
}

async function probeAddress(wire: Wire, options: ConnectOptions): Promise<ServerFacts> {
  try {
    return await discover(wire, options, { signal: options.signal, attemptMs: HTTP_PROBE_MS })
  } catch (error) {
    if (options.signal.aborted || !(error instanceof EraUnsupported || isLate(error) || isRefusal(error)))
      throw error
  }
  return initialize(wire, options, LATEST_LEGACY)
}

function isLate(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'TimeoutError'
}

/** An older server may refuse an unknown request with any status; only a missing authorization is final. */
function isRefusal(error: unknown): boolean {
  const status = (error as { status?: unknown }).status
  return typeof status === 'number' && status !== 401 && status !== 403
}

async function discover(
  wire: Wire,
  options: ConnectOptions,
  limits: Pick<ExchangeOptions, 'signal' | 'attemptMs'>,
): Promise<ServerFacts> {
  const sender = { era: 'modern', protocolVersion: LATEST_MODERN, clientInfo: options.clientInfo } as const
  wire.setRevision(sender)
  const declared = { [metaKeys.clientCapabilities]: sessionCapabilities(LATEST_MODERN) }
  const params = { _meta: envelope(sender, undefined, declared) }
  const ask = (id: string): Promise<JsonRpcResponse> =>
    wire.exchange({ jsonrpc: '2.0', id, method: 'server/discover', params }, limits)
  let response = await ask('discover')
  // A server may refuse a revision and name the same one as supported: then it is asked once more.
  if (refusesButSpeaks(response)) response = await ask('discover-again')
  if (isFailure(response)) throw new EraUnsupported(whyNotModern(response))
  const { supportedVersions, capabilities, instructions, _meta } = response.result
  if (!Array.isArray(supportedVersions) || !supportedVersions.includes(LATEST_MODERN))
    throw new EraUnsupported(`The server does not support ${LATEST_MODERN}.`)
  const info = isObject(_meta) ? _meta[metaKeys.serverInfo] : undefined
  return {
    era: 'modern',
    protocolVersion: LATEST_MODERN,
    info: isObject(info) ? cleanDefinition(info) : {},
    capabilities: isObject(capabilities) ? capabilities : {},
    instructions: boundedText(instructions),
    sessionId: undefined,
  }
}

function refusesButSpeaks(response: JsonRpcResponse): boolean {
  if (!isFailure(response) || response.error.code !== mcpErrorCodes.unsupportedVersion) return false
  const supported = isObject(response.error.data) ? response.error.data['supported'] : undefined
  return Array.isArray(supported) && supported.includes(LATEST_MODERN)
}

function whyNotModern({ error }: JsonRpcResponse & { error: { code: number; message: string } }): string {
  return error.code === mcpErrorCodes.unsupportedVersion || error.code === mcpErrorCodes.methodNotFound
    ? `The server does not support ${LATEST_MODERN}.`
    : `The server does not support ${LATEST_MODERN}: ${cleanText(error.message, 1_000)}`
}

async function initialize(wire: Wire, options: ConnectOptions, revision: string): Promise<ServerFacts> {
  wire.setRevision(undefined)
  const params = {
    protocolVersion: revision,
    capabilities: sessionCapabilities(revision),
    clientInfo: options.clientInfo,
  }
  const response = await wire.exchange(
    { jsonrpc: '2.0', id: 'initialize', method: 'initialize', params },
    { signal: options.signal },
  )
  if (isFailure(response))
    throw new Error(
      `The server refuses the connection: ${cleanText(response.error.message, 1_000)} (${response.error.code}).`,
    )
  const facts = factsOf(response.result, wire)
  if (options.settings.protocolVersion !== undefined && facts.protocolVersion !== revision)
    throw new Error(`The server uses ${facts.protocolVersion}, and "protocolVersion" says ${revision}.`)
  wire.setRevision(facts)
  await wire.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
  return facts
}

function factsOf(result: JsonObject, wire: Wire): ServerFacts {
  const { protocolVersion, serverInfo, capabilities, instructions } = result
  if (typeof protocolVersion !== 'string' || eraOf(protocolVersion) !== 'legacy')
    throw new Error(
      `The server uses ${JSON.stringify(protocolVersion ?? null)}; ${legacyRevisions.join(', ')} and ${LATEST_MODERN} are supported.`,
    )
  return {
    era: 'legacy',
    protocolVersion,
    info: isObject(serverInfo) ? cleanDefinition(serverInfo) : {},
    capabilities: isObject(capabilities) ? capabilities : {},
    instructions: boundedText(instructions),
    sessionId: wire.sessionId,
  }
}

/** Text from a server for the model: the part beyond the limit is dropped. */
function boundedText(text: unknown): string | undefined {
  return typeof text === 'string' ? cleanText(text.slice(0, MAX_INSTRUCTIONS_CHARS)) : undefined
}

function delay(ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(true), ms).unref()
  })
}
