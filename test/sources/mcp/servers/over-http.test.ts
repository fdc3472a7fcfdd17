import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { until } from '../../../until.js'
import { callOf, npmServer, openWith, textOf } from './start-servers.js'

const children: ChildProcess[] = []

afterEach(async () => {
  for (const child of children.splice(0)) await stop(child)
})

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}

/** The "everything" server over streamable HTTP. */
async function startUpstream(port: number): Promise<ChildProcess> {
  const { command, args } = npmServer('everything', 'streamableHttp')
  const child = spawn(command!, args!, {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  children.push(child)
  let said = ''
  child.stderr!.setEncoding('utf8').on('data', (text: string) => (said += text))
  await until(() => said.includes('listening'), 'the server')
  return child
}

test('an address whose server was away works again, in the same crib', async () => {
  const port = await freePort()
  const first = await startUpstream(port)
  const { crib, servers } = await openWith({ web: { url: `http://127.0.0.1:${port}/mcp` } })
  const server = servers.get('web')!
  expect(server.health()).toMatchObject({ state: 'ready' })
  expect(textOf(await callOf(crib, 'mcp.web.echo', { message: 'one' }))).toBe('Echo: one')

  await stop(first)
  const lost = await callOf(crib, 'mcp.web.echo', { message: 'two' })
  expect(lost.status).toBe('failed')
  expect(lost.error?.error_code).toMatch(/^toolcrib\.server_(lost|unavailable)$/)
  expect(server.health().state).not.toBe('ready')

  await startUpstream(port)
  expect(textOf(await callOf(crib, 'mcp.web.echo', { message: 'three' }))).toBe('Echo: three')
  await until(() => server.health().state === 'ready', 'that it is well again')
}, 60_000)
