import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** The longest time between two looks. */
const LOOK_EVERY_MS = 5000

/**
 * Ends connections whose client reads nothing of what was written for it, for `limitMs`. Requests cost nothing: only
 * connections on which something waits have a time limit, and each byte that is read begins it anew. Returns a function
 * that stops it.
 */
export function endStalledClients(server: Server, limitMs: number): () => void {
  const open = new Set<Socket>()
  const limited = new WeakSet<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  const look = (): void => {
    for (const socket of open) {
      const isWaiting = socket.writableLength > 0
      if (isWaiting === limited.has(socket)) continue
      if (isWaiting) {
        limited.add(socket)
        // Node.js destroys the connection then: neither the request nor its answer listens for the time limit.
        socket.setTimeout(limitMs)
      } else {
        limited.delete(socket)
        // Between two requests, Node.js has set the time limit of a connection without requests.
        if (socket.timeout === limitMs) socket.setTimeout(0)
      }
    }
  }
  const timer = setInterval(look, Math.min(LOOK_EVERY_MS, limitMs)).unref()
  return () => clearInterval(timer)
}
