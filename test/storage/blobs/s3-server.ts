import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startFauxqs } from 'fauxqs'

export interface SeenRequest {
  method: string
  url: string
  headers: IncomingMessage['headers']
}

/** What happens to a request instead of a response: a status, a broken connection, silence or half a response. */
export type Fault = number | 'break' | 'silence' | 'half'

export interface S3Server {
  endpoint: string
  /** The server itself, without the proxy. */
  origin: string
  seen: SeenRequest[]
  /** Called for each request; `undefined` lets it pass. */
  fail: (seen: SeenRequest) => Fault | undefined
  empty(): void
  stop(): Promise<void>
}

/** A real S3 server in this process, behind a proxy that can be made to fail. */
export async function startS3(bucket: string): Promise<S3Server> {
  const behind = await startFauxqs({ port: 0, host: '127.0.0.1', logger: false })
  behind.createBucket(bucket)
  const door = createServer((incoming, outgoing) => {
    const seen = { method: incoming.method ?? '', url: incoming.url ?? '', headers: incoming.headers }
    server.seen.push(seen)
    const fault = server.fail(seen)
    if (fault === undefined || fault === 'half') pass(incoming, outgoing, behind.port, fault === 'half')
    else incoming.resume().once('end', () => fault !== 'silence' && refuse(outgoing, fault))
    if (fault === 'break') incoming.destroy()
  })
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve))
  const server: S3Server = {
    endpoint: `http://127.0.0.1:${(door.address() as AddressInfo).port}`,
    origin: `http://127.0.0.1:${behind.port}`,
    seen: [],
    fail: () => undefined,
    empty() {
      behind.emptyBucket(bucket)
      server.seen = []
      server.fail = () => undefined
    },
    async stop() {
      door.closeAllConnections()
      await new Promise((resolve) => door.close(resolve))
      await behind.stop()
    },
  }
  return server
}

function refuse(outgoing: ServerResponse, status: number | 'break'): void {
  if (status === 'break') return
  const text = '<Error><Code>Refused</Code><Message>AKIDSECRET was refused</Message></Error>'
  outgoing.writeHead(status, { 'content-type': 'application/xml' }).end(text)
}

function pass(incoming: IncomingMessage, outgoing: ServerResponse, port: number, isCut: boolean): void {
  const { method, url: path, headers } = incoming
  const forwarded = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 0, answer.headers)
    if (!isCut) return void answer.pipe(outgoing)
    const half = Math.floor(Number(answer.headers['content-length'] ?? 0) / 2)
    let sent = 0
    answer.on('data', (chunk: Buffer) => {
      outgoing.write(chunk.subarray(0, Math.max(0, half - sent)))
      sent += chunk.length
    })
    answer.once('end', () => setImmediate(() => outgoing.destroy()))
  })
  forwarded.once('error', () => outgoing.destroy())
  incoming.pipe(forwarded)
}
