import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  createCrib,
  defineHook,
  defineTool,
  sqliteStore,
  toolFailure,
  type Crib,
  type CribOptions,
  type ExecuteContext,
} from 'toolcrib'
import { createPlace, type Place } from '../edges/cli/run-cli.js'
import { collect } from './open-crib.js'

/** Parts of it are spelled differently in JSON, in URLs and in base64. */
const SECRET = 'p"ss\\wörd/7 & +canary-5ecre7'
const OPEN = 'not-a-secret-4711'

/** Every spelling in which it would still be readable. Inside longer base64, three shifts are possible. */
function spellings(secret: string): string[] {
  const quoted = JSON.stringify(secret).slice(1, -1)
  const bytes = Buffer.from(secret)
  const shifted = [0, 1, 2].map((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64')
    // Its first and last characters depend on the neighbouring bytes.
    return text.slice(shift === 0 ? 0 : 4, -4)
  })
  return [
    secret,
    quoted,
    JSON.stringify(quoted).slice(1, -1),
    quoted.replaceAll('ö', '\\u00f6'),
    encodeURIComponent(secret),
    encodeURIComponent(secret).replaceAll('%20', '+'),
    encodeURI(secret),
    bytes.toString('hex'),
    ...shifted,
    ...shifted.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
    'canary-5ecre7',
  ]
}

function expectAbsent(where: string, bytes: string | Buffer): void {
  const text = Buffer.from(bytes)
  for (const spelling of spellings(SECRET))
    expect(text.includes(spelling), `${where} holds ${spelling}`).toBe(false)
}

type Execute = (input: { password: string; user: string }, context: ExecuteContext) => unknown

const login = (execute: Execute, more: object = {}) =>
  defineTool({
    name: 'login',
    description: 'Logs in.',
    input: {
      jsonSchema: {
        type: 'object',
        properties: { user: { type: 'string' }, password: { type: 'string' } },
      },
    },
    sensitiveFields: ['password'],
    ...more,
    execute: execute as never,
  })

const talkative = (event: 'pre_tool_use' | 'post_tool_use' | 'post_tool_use_failure') =>
  defineHook({
    id: `talks-${event}`,
    event,
    run: (call) => ({
      additionalContext: `saw ${JSON.stringify(call)}`,
      progress: `saw ${SECRET}`,
    }),
  })

/** Ways to end, in each of which every participant repeats the content of the sensitive field. */
const endings: Record<string, CribOptions> = {
  succeeded: {
    tools: [
      login(({ password }, { progress }) => {
        progress(`with ${password}`)
        return { said: `hello ${password}`, again: { [password]: password } }
      }),
    ],
    hooks: (['pre_tool_use', 'post_tool_use'] as const).map(talkative),
  },
  failed: {
    tools: [
      login(({ password }) => {
        throw Object.assign(new Error(`no user with ${password}`), { code: password, name: password })
      }),
    ],
    hooks: [talkative('post_tool_use_failure')],
  },
  'failed with a class': {
    tools: [
      login(({ password }) => {
        throw toolFailure('dependency_unavailable', JSON.stringify({ password }), { code: password })
      }),
    ],
  },
  'failed in its cause': {
    tools: [
      login(({ password }) => {
        throw new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code: password }) })
      }),
    ],
  },
  denied: {
    tools: [login(() => 'in')],
    decider: ({ input }) => ({
      behavior: 'deny',
      reason: { type: 'rule', message: `not with ${(input as { password: string }).password}` },
      blocked_path: `/home/${SECRET}`,
    }),
  },
  rejected: {
    tools: [login(() => 'in')],
    decider: () => ({ behavior: 'ask', reason: { type: 'rule', message: `is ${SECRET} all right?` } }),
    approver: () => ({ approved: false, feedback: `never with ${SECRET}`, by: 'anna' }),
  },
  refused: {
    tools: [login(() => 'in', { validate: ({ password }: { password: string }) => `bad ${password}` })],
  },
  'stopped by a hook': {
    tools: [login(() => 'in')],
    hooks: [
      defineHook({ id: 'gate', event: 'pre_tool_use', run: () => ({ stop: { reason: `saw ${SECRET}` } }) }),
    ],
  },
}

interface Emitted {
  place: Place
  crib: Crib
  file: string
}

async function openOnDisk(options: CribOptions): Promise<Emitted> {
  const place = createPlace('tools: []')
  const file = place.storeFile
  const crib = await createCrib({
    store: sqliteStore({ path: file }),
    decider: () => ({ behavior: 'allow' }),
    cancelGraceMs: 10,
    ...options,
  })
  return { place, crib, file }
}

/** The database, and the files beside it. */
function expectFilesClean(file: string): void {
  const folder = dirname(file)
  const names = readdirSync(folder).filter((name) => name.startsWith('crib.db'))
  expect(names.length).toBeGreaterThan(0)
  for (const name of names) expectAbsent(name, readFileSync(join(folder, name)))
}

const COMMANDS = [
  ['show', 'last'],
  ['show', 'last', '--json'],
  ['log'],
  ['log', '--json'],
  ['log', '--events', '--json'],
  ['progress', 'last', '--json'],
  ['approvals', '--json'],
]

async function expectCommandsClean({ place }: Emitted): Promise<void> {
  const ran = await Promise.all(COMMANDS.map(async (args) => ({ args, ...(await place.run(args)) })))
  for (const { args, stdout, stderr } of ran) expectAbsent(args.join(' '), stdout + stderr)
  expect(ran.map(({ stdout }) => stdout).join('')).toContain(OPEN)
}

describe('[AT-SCEN-05] acceptance scenario 5: sensitive arguments are stored nowhere', () => {
  it.each(Object.keys(endings))('%s', async (ending) => {
    const emitted = await openOnDisk(endings[ending]!)
    const { crib, file } = emitted
    const surface = await crib.surface({ scope: 'turn', session: 's1' })
    const call = crib.call(surface, { name: 'login', input: { user: OPEN, password: SECRET } })
    const heard = await collect(call)
    const told = {
      heard,
      result: await call,
      story: await crib.story(call.invocationId),
      events: await collect(crib.events({ from: 'start' })),
      progress: await collect(crib.progress(call.invocationId)),
      invocations: await collect(crib.invocations()),
    }
    for (const [what, records] of Object.entries(told)) {
      expectAbsent(what, JSON.stringify(records))
      expectAbsent(what, Buffer.from(JSON.stringify(records)).toString('latin1'))
    }
    // Fields that are not sensitive are there: the right record was checked.
    expect(JSON.stringify(told.events)).toContain(OPEN)
    await crib.close()
    expectFilesClean(file)
    // Processes are expensive: these two cover the most.
    if (ending === 'succeeded' || ending === 'failed') await expectCommandsClean(emitted)
  })

  it('a call that waits for approval stores it encrypted, and shows it to no reader', async () => {
    const emitted = await openOnDisk({
      tools: [login(({ password }) => `in with ${password}`)],
      decider: () => ({ behavior: 'ask', reason: { type: 'rule', message: `is ${SECRET} all right?` } }),
      reviewers: ['ann'],
    })
    const { crib, file } = emitted
    const surface = await crib.surface({ scope: 'turn' })
    const call = crib.call(surface, { name: 'login', input: { user: OPEN, password: SECRET } })
    const pending = (await call.pending())!
    expect(pending.input).toMatchObject({ user: OPEN })
    expectAbsent('the question', JSON.stringify(pending))
    expectFilesClean(file)
    await crib.approvals.answer(pending.approval_id, {
      approved: true,
      by: 'ann',
      feedback: `${SECRET} is fine`,
    })
    const result = await call
    expect(result.status).toBe('succeeded')
    expectAbsent('the result', JSON.stringify([result, await crib.story(call.invocationId)]))
    await crib.close()
    expectFilesClean(file)
    await expectCommandsClean(emitted)
  })

  it('only a field that is declared open, with secret detection off, is recorded', async () => {
    const emitted = await openOnDisk({
      tools: [login(() => 'in', { sensitiveFields: [] })],
      redaction: { patterns: false },
    })
    const { crib } = emitted
    const surface = await crib.surface({ scope: 'turn' })
    await crib.call(surface, { name: 'login', input: { password: SECRET } })
    expect(JSON.stringify(await collect(crib.events()))).toContain(JSON.stringify(SECRET))
    await crib.close()
  })
})
