// A crib in a separate process. It reads commands as lines of JSON and answers in the same way.
import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { createCrib, definePersonTool, defineTool, sqliteStore } from '../../../lib/index.js'

const options = JSON.parse(process.argv[2])
const { path, effects, hasTool = true, description = 'Sends a letter.', verdicts = {} } = options

const send = defineTool({
  namespace: 'mail',
  name: 'send',
  description,
  input: {
    jsonSchema: {
      type: 'object',
      properties: { to: { type: 'string' }, key: { type: 'string' }, copies: { default: 1 } },
      required: ['to'],
    },
  },
  sensitiveFields: ['key'],
  execute: (input, { invocationId }) => {
    appendFileSync(effects, `${JSON.stringify({ pid: process.pid, invocationId, input })}\n`)
    return { sent: input.to, with: `the key ${input.key}` }
  },
})

/** A person answers it. Each announcement is a line of the file; the process may end or fail while it sends. */
const review = definePersonTool({
  namespace: 'desk',
  name: 'review',
  description,
  input: { jsonSchema: { type: 'object', properties: { to: { type: 'string' }, key: { type: 'string' } } } },
  output: {
    jsonSchema: {
      type: 'object',
      properties: { ok: { type: 'boolean' }, pin: { type: 'string' } },
      required: ['ok'],
    },
  },
  sensitiveFields: ['key'],
  sensitiveOutputFields: ['pin'],
  ...(options.announce && {
    async announce({ approvalId, input }, { attempt }) {
      appendFileSync(
        options.announce,
        `${JSON.stringify({ pid: process.pid, approvalId, input, attempt })}\n`,
      )
      if (options.diesAtAnnounce) process.kill(process.pid, 'SIGKILL')
    },
  }),
})

const say = (value) => console.log(JSON.stringify(value))
const crib = await createCrib({
  store: sqliteStore({ path, pollMs: 5 }),
  tools: hasTool ? [send, review] : [],
  reviewers: options.reviewers ?? ['ann', 'ben'],
  actor: options.actor ?? 'agent:1',
  decider: () => verdicts[options.verdict ?? 'ask'] ?? { behavior: options.verdict ?? 'ask' },
  policyRevision: () => options.policyRevision ?? 'p1',
  approvals: {
    ...(options.expiresMs !== undefined && { expiresMs: options.expiresMs }),
    ...(options.claim !== undefined && { claim: options.claim }),
  },
})
const surface = await crib.surface({ scope: 'session', session: 's1' })
const calls = []

const work = {
  async call({ input, name = 'mail.send' }) {
    const call = crib.call(surface, { name, input })
    calls.push(call)
    call.then(
      (result) => say({ ended: call.invocationId, result }),
      (error) => say({ rejected: call.invocationId, code: error.code, message: error.message }),
    )
    const pending = await call.pending()
    say({ waiting: pending?.approval_id, invocation: call.invocationId })
  },
  async answer({ id, ...answer }) {
    const outcome = await crib.approvals.answer(id, answer)
    say({ answered: id, ok: outcome.ok, goesOn: outcome.goesOn, code: outcome.error?.error_code })
  },
  async answerAll({ ids, ...answer }) {
    const outcomes = await Promise.all(ids.map((id) => crib.approvals.answer(id, answer)))
    say({ answeredAll: outcomes.map(({ ok, error }) => (ok ? 'ok' : error.error_code)) })
  },
  async close() {
    await crib.close()
    lines.close()
    say({ closed: true })
  },
}

const lines = createInterface({ input: process.stdin })
lines.on('line', (line) => {
  const { do: name, ...given } = JSON.parse(line)
  work[name](given).catch((error) => say({ problem: error.stack }))
})
say({ open: process.pid })
