import type { Socket } from 'node:net'
import { isObject } from '../../../platform/json/is-object.js'
import { createLineReader } from '../../../sources/mcp/wire/line-reader.js'

/** Large enough for lists of thousands of tools, and for results with images. */
const LIMITS = { maxBytes: 256 * 1024 * 1024, maxValues: 20_000_000 }

/** One JSON message per line, in both directions. */
export interface MessageLink<Sent, Received> {
  send(message: Sent): void
  /** The next message; undefined when the connection is closed. */
  next(): Promise<Received | undefined>
  /** Resolves when the connection is closed. */
  readonly closed: Promise<void>
  close(): void
}

/** The first message shows that both sides run the same version: messages have the types that are sent. */
export function createMessageLink<Sent extends object, Received extends object>(
  socket: Socket,
): MessageLink<Sent, Received> {
  const received: Received[] = []
  let isOver = false
  let wake: (() => void) | undefined
  const read = createLineReader({
    limits: LIMITS,
    onLine(line) {
      const message = parse(line)
      if (!message) return void socket.destroy()
      received.push(message as Received)
      wake?.()
    },
    onRefused: () => void socket.destroy(),
    onEndless: () => void socket.destroy(),
  })
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  void closed.then(() => {
    isOver = true
    wake?.()
  })
  socket.on('error', () => {})
  socket.on('data', read)
  return {
    send(message) {
      if (!socket.destroyed && socket.writable) socket.write(`${JSON.stringify(message)}\n`)
    },
    async next() {
      while (received.length === 0 && !isOver) await new Promise<void>((resolve) => (wake = resolve))
      return received.shift()
    },
    closed,
    close: () => void socket.end(),
  }
}

function parse(line: string): object | undefined {
  try {
    const message: unknown = JSON.parse(line)
    return isObject(message) ? message : undefined
  } catch {
    return undefined
  }
}
