import type { Socket } from 'node:net'
import { createLineReader } from '../../../sources/mcp/wire/line-reader.js'
import { isJsonObject } from '../../../sources/mcp/protocol/json-rpc.js'

/** Lists of thousands of tools, and results with images, go over it as they are. */
const LIMITS = { maxBytes: 256 * 1024 * 1024, maxValues: 20_000_000 }

/** One JSON message for each line, in both directions. */
export interface MessageLink<Sent, Heard> {
  send(message: Sent): void
  /** The next message; nothing when the other end is gone. */
  next(): Promise<Heard | undefined>
  /** Resolves when the other end is gone. */
  readonly closed: Promise<void>
  close(): void
}

/** Both ends run the same version, as the first message says: what comes is of the shape that is sent. */
export function createMessageLink<Sent extends object, Heard extends object>(
  socket: Socket,
): MessageLink<Sent, Heard> {
  const heard: Heard[] = []
  let isOver = false
  let wake: (() => void) | undefined
  const read = createLineReader({
    limits: LIMITS,
    onLine(line) {
      const message = parse(line)
      if (!message) return void socket.destroy()
      heard.push(message as Heard)
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
      while (heard.length === 0 && !isOver) await new Promise<void>((resolve) => (wake = resolve))
      return heard.shift()
    },
    closed,
    close: () => void socket.end(),
  }
}

function parse(line: string): object | undefined {
  try {
    const message: unknown = JSON.parse(line)
    return isJsonObject(message) ? message : undefined
  } catch {
    return undefined
  }
}
