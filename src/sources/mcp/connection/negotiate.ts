import { isJsonObject, type JsonObject, type JsonRpcResponse } from '../protocol/json-rpc.js'
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
 * How long a program may take to say that it knows the later era before it is asked in the words of the earlier one
 * too. Its first answer then decides, so that a server that only starts slowly is still understood.
 */
const STDIO_PROBE_MS = 1500
/** An address that does not answer this is not asked any longer. */
const HTTP_PROBE_MS = 5000
const MAX_INSTRUCTIONS_CHARS = 10_000

/** The server does not speak like this; another way may still work. */
class NotSpoken extends Error {}

/** Finds out how the server speaks, the later era first, and greets it. */
export async function negotiate(
  wire: Wire,
  options: ConnectOptions,
  opening: 'probe' | 'greet',
): Promise<ServerFacts> {
  const pinned = options.settings.protocolVersion
  if (pinned !== undefined && eraOf(pinned) === undefined)
    throw new Error(`"protocolVersion" ${JSON.stringify(pinned)} is none that is spoken here.`)
  if (pinned !== undefined && eraOf(pinned) === 'legacy') return initialize(wire, options, pinned)
  if (pinned !== undefined) return discover(wire, options, { signal: options.signal })
  // That transport is older than the later era.
  if (wire.kind === 'sse' || opening === 'greet') return initialize(wire, options, LATEST_LEGACY)
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
      if (!(error instanceof NotSpoken)) throw error
      return initialize(wire, options, LATEST_LEGACY)
    })
  const greeting = initialize(wire, options, LATEST_LEGACY)
  // A server that is only slow reads both, and refuses the one that it does not know.
  const facts = await Promise.any([
    greeting,
    probe.then((found) => delay(STDIO_PROBE_MS).then(() => found)),
  ]).catch(() => greeting)
  wire.speak(facts)
  return facts
}

async function probeAddress(wire: Wire, options: ConnectOptions): Promise<ServerFacts> {
  try {
    return await discover(wire, options, { signal: options.signal, attemptMs: HTTP_PROBE_MS })
  } catch (error) {
    if (options.signal.aborted || !(error instanceof NotSpoken || isLate(error) || isRefusal(error)))
      throw error
  }
  return initialize(wire, options, LATEST_LEGACY)
}

function isLate(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'TimeoutError'
}

/** An older server may refuse what it does not know with any status; only who may not enter need not knock again. */
function isRefusal(error: unknown): boolean {
  const status = (error as { status?: unknown }).status
  return typeof status === 'number' && status !== 401 && status !== 403
}

async function discover(
  wire: Wire,
  options: ConnectOptions,
  limits: Pick<ExchangeOptions, 'signal' | 'attemptMs'>,
): Promise<ServerFacts> {
  const speaker = { era: 'modern', protocolVersion: LATEST_MODERN, clientInfo: options.clientInfo } as const
  wire.speak(speaker)
  const declared = { [metaKeys.clientCapabilities]: sessionCapabilities(LATEST_MODERN) }
  const params = { _meta: envelope(speaker, undefined, declared) }
  const ask = (id: string): Promise<JsonRpcResponse> =>
    wire.exchange({ jsonrpc: '2.0', id, method: 'server/discover', params }, limits)
  let response = await ask('discover')
  // A server may refuse a revision and name the same one: then it wants to be asked once more.
  if (refusesButSpeaks(response)) response = await ask('discover-again')
  if (isFailure(response)) throw new NotSpoken(whyNotModern(response))
  const { supportedVersions, capabilities, instructions, _meta } = response.result
  if (!Array.isArray(supportedVersions) || !supportedVersions.includes(LATEST_MODERN))
    throw new NotSpoken(`The server does not speak ${LATEST_MODERN}.`)
  const info = isJsonObject(_meta) ? _meta[metaKeys.serverInfo] : undefined
  return {
    era: 'modern',
    protocolVersion: LATEST_MODERN,
    info: isJsonObject(info) ? cleanDefinition(info) : {},
    capabilities: isJsonObject(capabilities) ? capabilities : {},
    instructions: boundedText(instructions),
    sessionId: undefined,
  }
}

function refusesButSpeaks(response: JsonRpcResponse): boolean {
  if (!isFailure(response) || response.error.code !== mcpErrorCodes.unsupportedVersion) return false
  const supported = isJsonObject(response.error.data) ? response.error.data['supported'] : undefined
  return Array.isArray(supported) && supported.includes(LATEST_MODERN)
}

function whyNotModern({ error }: JsonRpcResponse & { error: { code: number; message: string } }): string {
  return error.code === mcpErrorCodes.unsupportedVersion || error.code === mcpErrorCodes.methodNotFound
    ? `The server does not speak ${LATEST_MODERN}.`
    : `The server does not speak ${LATEST_MODERN}: ${cleanText(error.message, 1_000)}`
}

async function initialize(wire: Wire, options: ConnectOptions, revision: string): Promise<ServerFacts> {
  wire.speak(undefined)
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
    throw new Error(`The server speaks ${facts.protocolVersion}, and "protocolVersion" says ${revision}.`)
  wire.speak(facts)
  await wire.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
  return facts
}

function factsOf(result: JsonObject, wire: Wire): ServerFacts {
  const { protocolVersion, serverInfo, capabilities, instructions } = result
  if (typeof protocolVersion !== 'string' || eraOf(protocolVersion) !== 'legacy')
    throw new Error(
      `The server speaks ${JSON.stringify(protocolVersion ?? null)}; ${legacyRevisions.join(', ')} and ${LATEST_MODERN} are spoken here.`,
    )
  return {
    era: 'legacy',
    protocolVersion,
    info: isJsonObject(serverInfo) ? cleanDefinition(serverInfo) : {},
    capabilities: isJsonObject(capabilities) ? capabilities : {},
    instructions: boundedText(instructions),
    sessionId: wire.sessionId,
  }
}

/** A stranger's words to the model: what is longer than this is not read to the end. */
function boundedText(text: unknown): string | undefined {
  return typeof text === 'string' ? cleanText(text.slice(0, MAX_INSTRUCTIONS_CHARS)) : undefined
}

function delay(ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(true), ms).unref()
  })
}
