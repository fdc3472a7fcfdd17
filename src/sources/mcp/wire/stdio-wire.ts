import { throwIfStopped } from '../../../platform/async/stop-signal.js'
import { isObject } from '../../../platform/json/is-object.js'
import { messageKind, type JsonRpcMessage, type JsonRpcResponse } from '../protocol/json-rpc.js'
import { mcpErrorCodes } from '../protocol/mcp-error.js'
import { noteLarge } from '../protocol/large-messages.js'
import type { ShapeScan } from '../protocol/create-shape-scan.js'
import { describeShapeProblem } from '../protocol/shape-limits.js'
import { AnswerTooLarge, ConnectionLost } from '../connection/connection.js'
import type { McpServerSettings } from '../server-settings.js'
import { createClosing } from './closing.js'
import { createMessageLines } from './message-lines.js'
import { startServerProcess } from './server-process.js'
import { strayLine } from './stray-line.js'
import { createPendingRequests } from './pending-requests.js'
import type { Wire, WireOptions } from './wire.js'
import { parseJson } from '../../../platform/json/parse-json.js'

/** How many lines that are no messages are shown before they are ignored. */
const SHOWN_STRAY_LINES = 20
const SHOWN_CHARACTERS = 200
const SHOWN_BYTES = 1000
/** The most that is buffered for a server that does not read its input. */
const MAX_UNREAD_BYTES = 64 * 1024 * 1024

/** Messages as lines over the standard input and output of a child process. */
export function createStdioWire(
  options: WireOptions & {
    readonly settings: McpServerSettings
    readonly onStderr?: ((text: string) => void) | undefined
  },
): Wire {
  const closing = createClosing()
  const waiting = createPendingRequests()
  let strayLines = 0

  const onLine = (line: string): boolean => {
    const value = parseJson(line)
    noteLarge(value, line.length)
    // Servers of 2025-03-26 may send a batch.
    const messages = Array.isArray(value) ? value : [value]
    return messages.map(takeMessage).includes(true)
  }

  const takeMessage = (message: unknown): boolean => {
    const kind = messageKind(message)
    if (kind === 'response') waiting.answer(message as JsonRpcResponse)
    else if (kind !== undefined) options.onMessage(message as JsonRpcMessage)
    else return failUnreadable(message)
    return true
  }

  /** An invalid answer fails its request at once: no other answer will come. */
  const failUnreadable = (message: unknown): boolean => {
    const id = isObject(message) && message['method'] === undefined ? message['id'] : undefined
    if (typeof id !== 'string' && typeof id !== 'number') return false
    waiting.fail(id, new ConnectionLost('The server answers with what is no answer.', { mayHaveRun: true }))
    return true
  }

  const onStray = (line: Buffer | string): void => {
    if (strayLines === SHOWN_STRAY_LINES) return
    const text = (
      typeof line === 'string' ? line.slice(0, SHOWN_BYTES) : line.toString('utf8', 0, SHOWN_BYTES)
    ).trim()
    if (text !== '') strayLines++
    if (text !== '') options.onStderr?.(`${strayLine(text.slice(0, SHOWN_CHARACTERS))}\n`)
  }

  /** A message that was not parsed fails its request; a request of the server gets an error. */
  const onRefused = ({ problem, id, hasMethod, isBatch }: ShapeScan): void => {
    const tooLarge = new AnswerTooLarge(problem!, options.limits)
    if (hasMethod && id !== undefined) {
      const message = `The message ${describeShapeProblem(problem!, options.limits)}.`
      if (closing.why === undefined)
        write({ jsonrpc: '2.0', id, error: { code: mcpErrorCodes.invalidRequest, message } })
    } else if (id !== undefined) waiting.fail(id, tooLarge)
    // It may have held the answer of any pending request.
    else if (isBatch) waiting.failAll(tooLarge)
    options.onStderr?.(`(a message was not read) It ${describeShapeProblem(problem!, options.limits)}.\n`)
  }

  const stop = (why: string): void => {
    closing.close(why)
    waiting.failAll(new ConnectionLost(why, { mayHaveRun: true }))
    void server.stop()
  }

  const server = startServerProcess({
    settings: options.settings,
    maxUnreadBytes: MAX_UNREAD_BYTES,
    onOutput: createMessageLines({
      limits: options.limits,
      onLine,
      onStray,
      onNoise: () => stop('The server writes a lot to its standard output that is no messages.'),
      onRefused,
      onEndless: () =>
        stop(
          `The server wrote far more than ${options.limits.maxBytes} bytes without ending the message; "maxMessageBytes" says how long one may be.`,
        ),
    }),
    onStderr: (text) => options.onStderr?.(text),
    onEnd: (end) => {
      closing.close(end.message)
      waiting.failAll(end)
    },
  })

  const write = (message: JsonRpcMessage): void => {
    if (closing.why !== undefined) throw new ConnectionLost(closing.why, { mayHaveRun: false })
    if (server.write(`${JSON.stringify(message)}\n`)) return
    stop('The server does not read its input.')
    throw new ConnectionLost('The server does not read its input.', { mayHaveRun: false })
  }

  return {
    kind: 'stdio',
    sessionId: undefined,
    get pid() {
      return server.pid
    },
    setRevision() {},
    async exchange(request, { signal }) {
      throwIfStopped(signal)
      write(request)
      return waiting.wait(request.id, signal)
    },
    async send(message) {
      write(message)
    },
    listen() {},
    onClosed: closing.onClosed,
    async close() {
      closing.close('The connection was closed.')
      waiting.failAll(new ConnectionLost('The connection was closed.', { mayHaveRun: true }))
      await server.stop()
    },
  }
}
