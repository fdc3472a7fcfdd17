import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { loadChallenge } from '../../../../src/sources/mcp/oauth/load-challenge.js'

describe("the request for a server's challenge", () => {
  async function listen(answer: RequestListener): Promise<string> {
    const server = createServer(answer)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    })
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
  }

  it('sends the configured headers to the server only, and does not read the body', async () => {
    const endless = await listen((_, response) => void response.writeHead(200).write('data: 1\n\n'))
    expect(await loadChallenge('files', endless, { 'x-key': 'k' })).toMatchObject({ status: 200 })
    const keys: unknown[] = []
    const other = await listen(({ headers }, response) => {
      keys.push(headers['x-key'])
      response.writeHead(401).end()
    })
    const sending = await listen((_, response) => void response.writeHead(307, { location: other }).end())
    await expect(loadChallenge('files', sending, { 'x-key': 'k' })).rejects.toThrow(
      /elsewhere. Check its "url"/,
    )
    await expect(loadChallenge('files', 'http://files.example/mcp', { 'x-key': 'k' })).rejects.toThrow(
      /not https/,
    )
    expect(keys).toEqual([])
  })
})
