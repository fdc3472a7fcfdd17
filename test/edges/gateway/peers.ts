import { spawn, type ChildProcess } from 'node:child_process'
import { createServer, type AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

export const pathOf = (relative: string): string =>
  fileURLToPath(new URL(`../../../${relative}`, import.meta.url))

const module = (name: string): string => pathOf(`node_modules/@modelcontextprotocol/${name}/dist/index.js`)

export interface Program {
  command: string
  args: string[]
  env?: Record<string, string>
}

export const everything = (): Program => ({ command: process.execPath, args: [module('server-everything')] })

export const filesystem = (folder: string): Program => ({
  command: process.execPath,
  args: [module('server-filesystem'), folder],
})

export const memory = (file: string): Program => ({
  command: process.execPath,
  args: [module('server-memory')],
  env: { MEMORY_FILE_PATH: file },
})

export const sequentialThinking = (): Program => ({
  command: process.execPath,
  args: [module('server-sequential-thinking')],
  env: { DISABLE_THOUGHT_LOGGING: 'true' },
})

export const misbehaving = (env: Record<string, string> = {}): Program => ({
  command: process.execPath,
  args: [pathOf('test/peers/misbehaving-server.mjs')],
  env,
})

const info = { name: 'peer', version: '1.0.0' }

/** The official client of the first generation. */
export async function connectOld(url: string): Promise<OldClient> {
  const client = new OldClient(info)
  await client.connect(new OldTransport(new URL(url)))
  return client
}

export async function connectProgram({ command, args, env }: Program): Promise<OldClient> {
  const client = new OldClient(info)
  const transport = new StdioClientTransport({ command, args, stderr: 'ignore', ...(env && { env }) })
  await client.connect(transport)
  return client
}

/** The official client of the second generation, in either era. */
export async function connectNew(url: string, era: 'legacy' | 'modern'): Promise<Client> {
  const mode = era === 'legacy' ? 'legacy' : { pin: '2026-07-28' }
  const client = new Client(info, { versionNegotiation: { mode } })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  return client
}

/** `everything` over streamable HTTP, as a process of its own. */
export async function startEverythingOverHttp(): Promise<{ url: string; stop(): Promise<void> }> {
  const port = await freePort()
  const child = spawn(process.execPath, [module('server-everything'), 'streamableHttp'], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  await new Promise<void>((resolve, reject) => {
    const hear = (chunk: Buffer): void => {
      if (chunk.toString().includes('listening')) resolve()
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.once('exit', () => reject(new Error('server-everything ended at once')))
  })
  return { url: `http://127.0.0.1:${port}/mcp`, stop: () => endOf(child) }
}

export function endOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill('SIGKILL')
  })
}

export function freePort(): Promise<number> {
  const server = createServer()
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}

/** The first text of a result, which is all that most of these tests look at. */
export function textOf(result: unknown): string {
  const { content } = result as { content: { type: string; text?: string }[] }
  return content.find(({ type }) => type === 'text')?.text ?? ''
}
