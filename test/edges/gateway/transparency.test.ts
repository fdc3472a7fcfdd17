import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { McpServerSettings } from '../../../src/sources/mcp/server-settings.js'
import { startGateway, type RunningGateway } from '../../peers/start-gateway.mjs'
import { differencesOf } from './differences.js'
import { generateCalls, type GeneratedCall } from './generate-calls.js'
import {
  connectOld,
  connectProgram,
  everything,
  filesystem,
  memory,
  pathOf,
  sequentialThinking,
  type Program,
} from './peers.js'
import { temporaryFolder } from '../../temporary-folder.js'

const CALLS = 500
const SEED = 20_260_728
const OWN_KEY = 'dev.toolcrib/call'

/** One copy of everything that calls may change. */
interface Fixture {
  folder: string
  programs: Record<GeneratedCall['server'], Program>
}

type Caller = Awaited<ReturnType<typeof connectOld>>

let place: string
let gateway: RunningGateway
const closers: (() => Promise<void>)[] = []

function createFixture(name: string): Fixture {
  const home = join(place, name)
  const folder = join(home, 'files')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'a.txt'), 'The first file.\nTwo lines.\n')
  writeFileSync(join(folder, 'b.txt'), `Ünïcödé ${'long '.repeat(2000)}\n`)
  const reference = {
    command: process.execPath,
    args: [pathOf('test/peers/reference-server.mjs'), '--stdio'],
  }
  return {
    folder,
    programs: {
      everything: everything(),
      files: filesystem(folder),
      memory: memory(join(home, 'memory.jsonl')),
      thinking: sequentialThinking(),
      reference,
    },
  }
}

/** Every answer in turn, with the fixture's own folder written as `<folder>`. */
async function recordAnswers(
  fixture: Fixture,
  call: (call: GeneratedCall) => Promise<unknown>,
): Promise<unknown[]> {
  const answers: unknown[] = []
  for (const each of generateCalls(CALLS, { seed: SEED, folder: fixture.folder })) {
    const answer = await call(each)
    answers.push(JSON.parse(JSON.stringify(answer).replaceAll(fixture.folder, '<folder>')))
  }
  return answers
}

async function ask(client: Caller, name: string, input: Record<string, unknown>): Promise<unknown> {
  const params = { name, arguments: input }
  try {
    return await client.request({ method: 'tools/call', params }, ResultSchema)
  } catch (error) {
    const { code, message, data } = error as { code?: number; message: string; data?: unknown }
    return { error: { code, message, data } }
  }
}

async function recordDirect(fixture: Fixture): Promise<unknown[]> {
  const clients = new Map<string, Caller>()
  for (const [server, program] of Object.entries(fixture.programs))
    clients.set(server, await connectProgram(program))
  const answers = await recordAnswers(fixture, ({ server, tool, input }) =>
    ask(clients.get(server)!, tool, input),
  )
  await Promise.all([...clients.values()].map((client) => client.close()))
  return answers
}

function withoutOwnKey(answer: unknown): unknown {
  const { _meta: meta, ...rest } = answer as { _meta?: Record<string, unknown> }
  if (meta === undefined) return answer
  const { [OWN_KEY]: _, ...others } = meta
  return Object.keys(others).length === 0 ? rest : { ...rest, _meta: others }
}

/** The direct client opens with a handshake; a server that also knows the newer era says more there. */
const inOneEra = (programs: Fixture['programs']): Record<string, McpServerSettings> =>
  Object.fromEntries(
    Object.entries(programs).map(([name, program]) => [name, { ...program, protocolVersion: '2025-11-25' }]),
  )

beforeAll(() => {
  place = temporaryFolder()
})

afterAll(async () => {
  for (const close of closers) await close()
  await gateway?.stop()
  rmSync(place, { recursive: true, force: true })
})

test(`[AT-MCP-05] ${CALLS} calls answer through the gateway as they do directly`, async () => {
  const fixtures = [createFixture('one'), createFixture('two'), createFixture('through')] as const
  const [direct, again] = [await recordDirect(fixtures[0]), await recordDirect(fixtures[1])]
  gateway = await startGateway({ mcpServers: inOneEra(fixtures[2].programs) })
  const client = await connectOld(gateway.url)
  closers.push(() => client.close())
  const through = await recordAnswers(fixtures[2], ({ server, tool, input }) =>
    ask(client, `${server}__${tool}`, input),
  )
  const calls = generateCalls(CALLS, { seed: SEED, folder: '<folder>' })
  const found = calls.flatMap((call, index) => {
    // What differs between two direct calls, such as the time of day, is nobody's to keep.
    const varies = new Set(differencesOf(direct[index], again[index]))
    const paths = differencesOf(direct[index], withoutOwnKey(through[index])).filter(
      (path) => !varies.has(path),
    )
    return paths.map((path) => `${call.server} ${call.tool} ${JSON.stringify(call.input)} differs at ${path}`)
  })
  expect(found).toEqual([])
  expect(through.filter((answer) => JSON.stringify(answer).includes(OWN_KEY)).length).toBeGreaterThan(
    CALLS / 2,
  )
}, 300_000)
