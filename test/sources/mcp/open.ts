import { spawn, type ChildProcess } from 'node:child_process'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterEach } from 'vitest'
import type { McpClient } from '../../../src/sources/mcp/protocol/mcp-client.js'
import { connect } from '../../../src/sources/mcp/connection/connect.js'
import type { ConnectOptions, McpConnection } from '../../../src/sources/mcp/connection/connection.js'
import type { McpServerSettings } from '../../../src/sources/mcp/server-settings.js'

const cleanUps: (() => Promise<unknown> | void)[] = []

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

export const toolServer = fileURLToPath(new URL('peers/tool-server.mjs', import.meta.url))
export const oddServer = fileURLToPath(new URL('peers/odd-server.mjs', import.meta.url))
export const everything = fileURLToPath(
  import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'),
)
export const memory = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-memory/dist/index.js'))

export interface Opened {
  connection: McpConnection
  notifications: { method: string; params: Record<string, unknown> }[]
  stderr(): string
}

/** Connects, and closes when the test is over. */
export async function open(settings: McpServerSettings, more: Partial<ConnectOptions> = {}): Promise<Opened> {
  const notifications: Opened['notifications'] = []
  let stderr = ''
  const connection = await connect({
    name: 'peer',
    settings,
    clientInfo: { name: 'tests', version: '1.0.0' },
    signal: AbortSignal.timeout(20_000),
    onNotification: (method, params) => notifications.push({ method, params }),
    onStderr: (text) => {
      stderr += text
    },
    ...more,
  })
  cleanUps.push(() => connection.close())
  return { connection, notifications, stderr: () => stderr }
}

export const program = (file: string, ...args: string[]): McpServerSettings => ({
  command: process.execPath,
  args: [file, ...args],
})

/** Starts a server that prints something when it listens, and stops it when the test is over. */
export async function startServer(
  args: string[],
  env: Record<string, string> = {},
): Promise<{ child: ChildProcess; said: string }> {
  const child = spawn(process.execPath, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  cleanUps.push(() => endOf(child))
  const said = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (chunk) => resolve(String(chunk).trim()))
    child.stderr.once('data', (chunk) => resolve(String(chunk).trim()))
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)))
  })
  child.stdout.resume()
  child.stderr.resume()
  return { child, said }
}

async function endOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await ended
}

/** A peer over HTTP that misbehaves as the test says. */
export async function serve(listener: RequestListener): Promise<string> {
  const server: Server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanUps.push(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** A client that agrees to everything, and records what it was asked. */
export function agreeingClient(
  capabilities: Record<string, unknown>,
  meta?: Record<string, unknown>,
): McpClient & { asked: string[] } {
  const asked: string[] = []
  return {
    asked,
    capabilities,
    meta,
    wantsProgress: false,
    notify() {},
    async ask(questions) {
      asked.push(...Object.values(questions).map(({ method }) => method))
      return Object.fromEntries(Object.entries(questions).map(([key, { method }]) => [key, answerTo(method)]))
    },
  }
}

function answerTo(method: string): Record<string, unknown> {
  if (method === 'roots/list') return { roots: [{ uri: 'file:///home', name: 'home' }] }
  if (method === 'sampling/createMessage')
    return { role: 'assistant', model: 'none', content: { type: 'text', text: 'a sample' } }
  return { action: 'accept', content: { name: 'Crib' } }
}

export async function textOf(
  connection: McpConnection,
  name: string,
  args: Record<string, unknown> = {},
  options: Parameters<McpConnection['request']>[2] = {},
): Promise<string> {
  const { result } = await connection.request('tools/call', { name, arguments: args }, options)
  return (result['content'] as { text: string }[])[0]!.text
}
