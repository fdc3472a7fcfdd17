import { JudgedInput } from '../../../dist/storage/decision-data.js'
import { readFileSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { createScheduler } from '../../../dist/scheduling/scheduler.js'
import { createDeadlines } from '../../../dist/pipeline/execute/deadlines.js'
import { createJournal } from '../../../dist/storage/journal/journal.js'
import { secretsOf } from '../../../dist/pipeline/permission/secrets-of.js'
import { eventCount } from '../../../dist/storage/event-list.js'
import { defineTool, sqliteStore } from '../../../dist/index.js'
import { createPolicy } from '../../../dist/policy/policy.js'
import { createRedactor } from '../../../dist/redaction/redactor.js'
import { announceOwner } from '../../../dist/crib/recovery/owner.js'
import { createRun } from '../../../dist/crib/calls/start-call.js'
import { createCatalog } from '../../../dist/catalog/catalog.js'
import { buildSurface } from '../../../dist/surfaces/build-surface.js'

const record = (file, value) => writeFileSync(file, JSON.stringify(value))

/** The same tools in every process: an executor writes its input into `seen`. */
function toolsFor(seen) {
  const note = (input, { invocationId }) =>
    record(seen, {
      pid: process.pid,
      invocationId,
      input: Object.fromEntries(
        Object.entries(input).map(([key, value]) => [
          key,
          value instanceof Date ? `Date ${value.toISOString()}` : value,
        ]),
      ),
    })
  return [
    defineTool({
      name: 'plain',
      description: 'Takes JSON.',
      input: {
        jsonSchema: { type: 'object', properties: { n: { type: 'integer' }, s: { default: 'filled in' } } },
      },
      sensitiveFields: ['password'],
      execute: (input, context) => {
        note(input, context)
        return { echo: input.n, said: `the password is ${input.password}` }
      },
    }),
    defineTool({
      name: 'dated',
      description: 'Takes a date.',
      input: z.object({ when: z.string().transform((text) => new Date(text)) }),
      execute: (input, context) => {
        note(input, context)
        return { year: input.when.getUTCFullYear() }
      },
    }),
  ]
}

/** The parts of `createCrib` that a call needs, without its recovery: that would close the suspended call. */
export async function openPorts(path, seen) {
  const store = sqliteStore({ path })
  await store.open()
  const journal = createJournal({ store })
  const catalog = createCatalog()
  catalog.add('function', toolsFor(seen))
  const owner = await announceOwner(store, { id: `crib_${process.pid}`, now: Date.now })
  const redactor = createRedactor({ patterns: true })
  const ports = {
    catalog,
    journal,
    decider: () => ({ behavior: 'allow' }),
    approver: undefined,
    responder: undefined,
    hooks: [],
    policy: createPolicy({
      rules: [],
      mode: 'default',
      workingDirectories: [],
      home: '/',
      base: '/',
      protectedPaths: { own: [] },
      now: Date.now,
    }),
    policyRevision: () => 'none',
    home: '/',
    followLinks: (path) => path,
    closing: new AbortController().signal,
    isClosing: () => false,
    now: Date.now,
    workspace: process.cwd(),
    deadlines: createDeadlines(),
    scheduling: createScheduler({}),
    defaultTimeoutMs: 5_000,
    results: { maxInlineChars: 50_000, previewChars: 2000, persistence: 'preview_and_persist' },
    redactorFor: () => redactor,
    exactRedactor: redactor,
    redactionWay: 'mask',
    protectedReaders: [],
    cancelGraceMs: 100,
  }
  return { ports, owner, store, journal, catalog }
}

/** The run of a call that another process suspended, as the runtime makes it for a pending call. */
export async function resumeRun({ ports, owner, store, catalog }, call, tenant) {
  const row = await store.getCall(tenant, call.invocationId)
  if (!row || row.status === 'succeeded') throw new Error('there is no such open call')
  const resolved = catalog.resolve(call.toolId)
  const tool = resolved && 'found' in resolved ? resolved.found : undefined
  if (tool?.fingerprint !== call.fingerprint) throw new Error('the tool is not the one that was called')
  const chunks = await store.readStream(tenant, call.invocationId)
  const handedOver = chunks.reduce((sum, { events }) => sum + eventCount(events), 0)
  const surface = buildSurface(catalog, { scope: 'turn', tenant })
  const run = createRun(ports, { ...row, owner: owner.id }, surface, Date.now())
  run.handedOver = handedOver
  run.tool = tool
  run.secrets = secretsOf(call.inputs, [], tool)
  run.recordedInput = new JudgedInput(call.inputs.length - 1, call.inputs.at(-1), false)
  return run
}

export const readState = (file) => JSON.parse(readFileSync(file, 'utf8'))
export { record as writeState }
