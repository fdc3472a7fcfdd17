import { type Readable, Writable } from 'node:stream'
import { mcpErrorCodes } from '../../../sources/mcp/protocol/mcp-error.js'
import { CLIENT_SHAPE, describeShapeProblem } from '../../../sources/mcp/protocol/shape-limits.js'
import { createLineReader } from '../../../sources/mcp/wire/line-reader.js'
import type { Gateway } from '../gateway.js'
import type { Caller } from '../../server/caller.js'
import { toJson } from '../to-json.js'
import { createStdioPeer } from './stdio-peer.js'

const MAX_LINE_BYTES = 10 * 1024 * 1024
/** A client that does not read must not fill the memory. */
const MAX_UNREAD_BYTES = 256 * 1024 * 1024
/** How long requests may still take after the input has ended. */
const LAST_ANSWERS_MS = 1000

export interface StdioOptions {
  gateway: Gateway
  caller: Pick<Caller, 'actor' | 'tenant' | 'surface'>
  /** Default: standard input and output. */
  input?: Readable | undefined
  output?: Writable | undefined
  maxLineBytes?: number | undefined
  /** Called for errors that are not the client's fault. */
  onProblem?: ((problem: unknown) => void) | undefined
}

export interface StdioServer {
  /** Resolves when the client has disconnected and its sessions are closed. */
  readonly closed: Promise<void>
  close(): Promise<void>
}

/** Serves one client over standard input and output, in either era. */
export function serveStdio(options: StdioOptions): StdioServer {
  const { gateway, caller, input = process.stdin, maxLineBytes = MAX_LINE_BYTES } = options
  const report = (problem: unknown): void => options.onProblem?.(problem)
  const claimed = options.output ? undefined : claimStdout()
  const output = options.output ?? claimed!.output
  const isFull = (): boolean => output.writableLength > MAX_UNREAD_BYTES
  const peer = createStdioPeer({ gateway, caller: { ...caller, roles: ['caller'] }, report }, (message) => {
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
      peer.refuse(`The message ${describeShapeProblem(problem!, limits)}.`, {
        id: hasMethod ? id : undefined,
      }),
    onEndless() {
      peer.refuse(`A message is far longer than ${maxLineBytes} bytes.`)
      void close()
    },
  })
  let closing: Promise<void> | undefined
  let resolveClosed!: () => void
  const closed = new Promise<void>((resolve) => (resolveClosed = resolve))

  const close = (): Promise<void> => (closing ??= end(0))
  const onEnd = (): void => void (closing ??= end(LAST_ANSWERS_MS))
  const onBroken = (): void => void close()

  async function end(graceMs: number): Promise<void> {
    input.off('data', read).off('end', onEnd).off('close', onEnd).pause()
    await peer.close(graceMs)
    output.off('error', onBroken)
    // Late errors of a closed pipe are expected.
    output.on('error', () => {})
    claimed?.release()
    resolveClosed()
  }

  output.on('error', onBroken)
  input.on('data', read).on('end', onEnd).on('close', onEnd).on('error', onBroken)
  return { closed, close }
}

/**
 * Reserves standard output for the protocol: other output of this process, such as that of a tool that logs, goes to
 * standard error instead.
 */
function claimStdout(): { output: Writable; release(): void } {
  const { stdout, stderr } = process
  const given = stdout.write
  const write = given.bind(stdout)
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write
  const output = new Writable({
    decodeStrings: false,
    write: (chunk: string | Buffer, _encoding, done) => void write(chunk, (error) => done(error ?? null)),
  })
  const onError = (error: Error): void => void output.destroy(error)
  stdout.on('error', onError)
  return {
    output,
    release() {
      stdout.write = given
      stdout.off('error', onError)
    },
  }
}
