import { createServer, type RequestListener } from 'node:http'
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** Starts an HTTP server on this machine for the running test, and returns its origin. */
export async function startServer(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  return startListening(server, () => server.closeAllConnections())
}

export interface RawRequest {
  readonly text: string
  /** From 1. */
  readonly connection: number
  /** From 1, of the connection. */
  readonly count: number
}

export interface RawServer {
  readonly origin: string
  /** All connections so far, also those that are closed. */
  readonly connections: readonly Socket[]
}

/** Starts a TCP server that gets the requests as text up to the end of their headers, and writes responses byte by byte. */
export async function startRawServer(
  answer: (socket: Socket, request: RawRequest) => void,
): Promise<RawServer> {
  const connections: Socket[] = []
  const server = createTcpServer((socket) => {
    const connection = connections.push(socket)
    let count = 0
    let text = ''
    socket.on('error', () => {})
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk
      if (!text.includes('\r\n\r\n')) return
      const request = { text, connection, count: ++count }
      text = ''
      answer(socket, request)
    })
  })
  const origin = await startListening(server, () => connections.forEach((socket) => socket.destroy()))
  return { origin, connections }
}

async function startListening(server: Server, closeConnections: () => void): Promise<string> {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(async () => {
    const closed = new Promise((done) => server.close(done))
    closeConnections()
    await closed
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
