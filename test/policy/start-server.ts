import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A server on a free port, closed with all connections when the test ends. */
export async function startServer(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/decide`
}

export async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks = (await request.toArray()) as Buffer[]
  return JSON.parse(Buffer.concat(chunks).toString('utf8'))
}
