import type { Readable, Writable } from 'node:stream'
import { mcpErrorCodes } from '../../../sources/mcp/protocol/mcp-error.js'
import { CLIENT_SHAPE, sayShapeProblem } from '../../../sources/mcp/protocol/shape-limits.js'
import { createLineReader } from '../../../sources/mcp/wire/line-reader.js'
import type { Gateway } from '../gateway.js'
import type { Caller } from '../../server/caller.js'
import { toJson } from '../to-json.js'
import { claimStdout } from './claim-stdout.js'
import { createStdioPeer } from './stdio-peer.js'

const MAX_LINE_BYTES = 10 * 1024 * 1024
/** A client that reads no more must not fill the memory. */
const MAX_UNREAD_BYTES = 256 * 1024 * 1024
/** How long what was asked for before the input ended may still take. */
const LAST_ANSWERS_MS = 1000

export interface StdioOptions {
  gateway: Gateway
  caller: Caller
  /** Standard input and output, unless said. */
  input?: Readable | undefined
  output?: Writable | undefined
  maxLineBytes?: number | undefined
  /** Hears of errors that are not the client's fault. */
  onProblem?: ((problem: unknown) => void) | undefined
}

export interface StdioServer {
  /** Resolves when the client is gone and everything of it is closed. */
  readonly closed: Promise<void>
  close(): Promise<void>
}

/** Serves the one client at the other end of standard input and output, whichever era it speaks. */
export function serveStdio(options: StdioOptions): StdioServer {
  const { gateway, caller, input = process.stdin, maxLineBytes = MAX_LINE_BYTES } = options
  const tell = (problem: unknown): void => options.onProblem?.(problem)
  const claimed = options.output ? undefined : claimStdout()
  const output = options.output ?? claimed!.output
  const isFull = (): boolean => output.writableLength > MAX_UNREAD_BYTES
  const peer = createStdioPeer({ gateway, caller, tell }, (message) => {
    if (output.destroyed) return
    const text = toJson(message)
    if (text === undefined) return
    output.write(`${text}\n`)
    if (isFull()) void close()
  })
  const limits = { ...CLIENT_SHAPE, maxBytes: maxLineBytes }
  const read = createLineReader({
    limits,
    onLine: (line) => peer.take(line),
    onNotText: () => peer.refuse('This is no text in UTF-8.', { code: mcpErrorCodes.parseError }),
    onRefused: ({ problem, id, hasMethod }) =>
      peer.refuse(`The message ${sayShapeProblem(problem!, limits)}.`, {
        id: hasMethod ? id : undefined,
      }),
    onEndless() {
      peer.refuse(`A message is far longer than ${maxLineBytes} bytes.`)
      void close()
    },
  })
  let closing: Promise<void> | undefined
  let tellClosed!: () => void
  const closed = new Promise<void>((resolve) => (tellClosed = resolve))

  const close = (): Promise<void> => (closing ??= end(0))
  const onEnd = (): void => void (closing ??= end(LAST_ANSWERS_MS))
  const onBroken = (): void => void close()

  async function end(graceMs: number): Promise<void> {
    input.off('data', read).off('end', onEnd).off('close', onEnd).pause()
    await peer.close(graceMs)
    output.off('error', onBroken)
    // Late errors of a pipe that nobody reads are no news.
    output.on('error', () => {})
    claimed?.release()
    tellClosed()
  }

  output.on('error', onBroken)
  input.on('data', read).on('end', onEnd).on('close', onEnd).on('error', onBroken)
  return { closed, close }
}
