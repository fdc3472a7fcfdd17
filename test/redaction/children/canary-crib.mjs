// A crib whose tools, hooks, deciders and reviewers all output the secret. It prints what a program would see.
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  commandHook,
  createCrib,
  defineClassifier,
  defineHook,
  defineTool,
  httpHook,
  sqliteStore,
} from '../../../lib/index.js'
import { both, first, input, second, tools } from './canary-tools.mjs'

const { path, mode, approval } = JSON.parse(process.argv[2])
const isLive = process.env.CANARY_LIVE === 'yes'
const say = (value) => console.log(JSON.stringify(value))

const open = (options = {}) =>
  createCrib({
    store: sqliteStore({ path, pollMs: 5 }),
    tools,
    decider: () => ({ behavior: 'allow' }),
    redaction: isLive ? { secrets: [first] } : { environment: false },
    cancelGraceMs: 50,
    ...options,
  })

const nosy = { scope: 'session', session: 's1', reason: isLive ? both : second, runtimeRefs: [second] }

/** Reads the call as a stream too: listeners get the same events as the log. */
async function make(crib, surface, name, more = {}) {
  const call = crib.call(surface, { name, input: input(), ...more })
  for await (const event of call) say({ event })
  say({ result: await call })
  return call.invocationId
}

const modes = {
  async work() {
    const crib = await open({ responder: async () => ({ action: 'accept', content: { word: both } }) })
    const surface = await crib.surface(nosy)
    for (const { name } of tools) {
      if (name === 'waits' || name === 'late') continue
      await make(crib, surface, `leak.${name}`)
    }
    await make(crib, surface, `leak.${second}`, { input: { note: both, [second]: first } })
    await make(crib, surface, 'leak.text', { input: `{"note": "${second}` })
    await make(crib, surface, 'leak.text', { nativeCallId: isLive ? `call_${first}` : 'call_1' })
    await make(crib, surface, 'leak.late', { timeoutMs: 50 })
    const cancelled = crib.call(surface, { name: 'leak.waits', input: input() })
    setTimeout(() => cancelled.cancel(), 50)
    say({ result: await cancelled })
    say({
      batch: await crib.batch(
        surface,
        ['text', 'throws', 'structured'].map((name) => ({ name: `leak.${name}`, input: input() })),
      ),
    })
    const task = crib.call(surface, { name: 'leak.progress', input: input(), runInBackground: true })
    const receipt = await task
    say({ receipt, ended: await crib.task(receipt.invocation_id) })
    say({ explained: crib.explain({ tool: 'leak.shell', input: input() }) })
    say({ declaration: crib.declaration('leak.text'), tool: await crib.resolveRef('tool:leak.text') })
    await sleep(400)
    await crib.close()
  },

  async hooks() {
    const server = createServer((request, response) => {
      request.resume()
      response.end(
        JSON.stringify({
          systemMessage: both,
          hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext: both },
        }),
      )
    })
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
    const command = (id, script, more) =>
      commandHook({
        id,
        event: 'pre_tool_use',
        tools: [`leak.${id}`],
        command: process.execPath,
        args: ['-e', script],
        env: { WORD: '${CANARY_TOKEN}', OTHER: '${CANARY_LOOKALIKE}' },
        ...more,
      })
    const words = '`${process.env.WORD} ${process.env.OTHER}`'
    const plain = (name) =>
      defineTool({
        namespace: 'leak',
        name,
        description: name,
        sensitiveFields: ['password'],
        isReadOnly: true,
        execute: () => both,
      })
    const hook = (name, event, run, more = {}) =>
      defineHook({ id: name, event, tools: [`leak.${name}`], run, ...more })
    const hooks = [
      command(
        'says',
        `console.log(JSON.stringify({ systemMessage: ${words}, stopReason: ${words}, [${words}]: 1 }))`,
      ),
      command('blocks', `console.error('x'.repeat(3990) + ' ' + ${words}); process.exit(2)`),
      command('breaks', `console.error(${words}); process.exit(1)`, { onFailure: 'deny' }),
      command('babbles', `console.log(${words})`),
      httpHook({
        id: 'far',
        event: 'pre_tool_use',
        tools: ['leak.far'],
        url: `http://127.0.0.1:${server.address().port}/?token=${second}`,
        headers: { authorization: 'Bearer ${CANARY_TOKEN}' },
      }),
      hook('answers', 'pre_tool_use', (call) => {
        call.report({ fact: both, list: [both] })
        return {
          message: both,
          progress: both,
          additionalContext: [both],
          permission: { behavior: 'deny', message: both },
        }
      }),
      hook('rewrites', 'pre_tool_use', ({ input: given }) => ({
        updatedInput: { ...given, more: both },
        message: both,
      })),
      hook('stops', 'pre_tool_use', () => ({ stop: { reason: both } })),
      hook('throws-in-hook', 'pre_tool_use', () => Promise.reject(new Error(both)), {
        onFailure: 'continue',
      }),
      hook('replaces', 'post_tool_use', () => ({ updatedOutput: { other: both }, message: both })),
      hook('withholds', 'post_tool_use', () => ({ stop: { reason: both } })),
      hook('keeps', 'result_persistence', () => ({
        persistence: { strategy: 'never_persist', reason: both },
      })),
      hook('redacts', 'result_persistence', () => ({
        persistence: { strategy: 'redact', reason: both, fields: ['other'] },
      })),
    ]
    const crib = await open({
      tools: hooks.map(({ id }) => plain(id)),
      hooks,
      approver: () => ({ approved: true, by: isLive ? `ann ${first}` : 'ann', feedback: both }),
    })
    const surface = await crib.surface(nosy)
    for (const { id } of hooks) await make(crib, surface, `leak.${id}`)
    await crib.close()
    server.close()
  },

  async judges() {
    const verdicts = [
      () => ({
        behavior: 'deny',
        reason: { type: 'policy', message: both },
        policy_refs: [second],
        rule_refs: [`rule:${second}`],
        blocked_path: `/${second}`,
        toolcrib: { why: both },
      }),
      () => Promise.reject(new Error(both)),
      () => ({ behavior: 'allow', updated_input: { ...input(), more: both } }),
      () => ({
        behavior: 'ask',
        reason: { type: 'rule', message: both },
        suggested_updates: [{ type: 'addRules', rules: [`leak.text(${second})`] }],
      }),
    ]
    for (const decider of verdicts) {
      const crib = await open({ decider, approver: () => ({ approved: false, by: 'ann', feedback: both }) })
      await make(crib, await crib.surface(nosy), 'leak.text')
      await crib.close()
    }
    const classifier = defineClassifier({
      id: 'c',
      canDeny: true,
      classify: () => ({ verdict: 'unsafe', confidence: 1, reason: `${'x '.repeat(995)}${both}` }),
    })
    const engine = { id: 'e', evaluate: () => ({ behavior: 'deny', message: both, policyRefs: [second] }) }
    for (const permission of [
      { mode: 'auto', classifiers: [classifier] },
      { engine },
      { deny: [{ rule: 'leak.text', reason: declaredReason() }] },
    ]) {
      const crib = await open({
        decider: undefined,
        permission,
        approver: () => ({ approved: true, updatedInput: { ...input(), more: both }, by: 'ann' }),
      })
      await make(crib, await crib.surface(nosy), 'leak.text')
      await crib.close()
    }
  },

  async wait() {
    const crib = await open({
      decider: () => ({ behavior: 'ask', reason: { type: 'rule', message: both } }),
      reviewers: ['ann'],
    })
    const call = crib.call(await crib.surface(nosy), { name: 'leak.text', input: input() })
    call.catch(() => {})
    say({ waiting: (await call.pending()).approval_id })
    await sleep(60_000)
  },

  async resume() {
    const crib = await open({
      decider: () => ({ behavior: 'ask', reason: { type: 'rule', message: both } }),
      reviewers: ['ann'],
    })
    const shown = await crib.approvals.get(approval)
    say({ shown })
    const edited = { ...shown.input, command: 'true', more: both }
    say({
      refused: await crib.approvals.answer(approval, {
        approved: true,
        by: 'ann',
        input: { ...edited, note: 'new [redacted]' },
      }),
    })
    say({
      answered: await crib.approvals.answer(approval, {
        approved: true,
        by: 'ann',
        input: edited,
        feedback: both,
      }),
    })
    const id = shown.invocation_id
    while (!(await crib.result(id))) await sleep(10)
    say({ result: await crib.result(id), story: await crib.story(id) })
    await crib.close()
  },

  async crash() {
    const crib = await open()
    const call = crib.call(await crib.surface(nosy), {
      name: 'leak.waits',
      input: input(),
      runInBackground: true,
    })
    await call
    const locked = crib.call(await crib.surface(nosy), { name: 'leak.locks', input: input() })
    await locked
    await crib.flush()
    say({ running: call.invocationId })
    await sleep(60_000)
  },

  async recover() {
    const crib = await open()
    for await (const event of crib.events()) say({ event })
    for await (const row of crib.invocations())
      say({ row, story: await crib.story(row.invocation_id ?? row.invocationId) })
    say({ locks: await crib.locks(), limits: await crib.limits(), approvals: await crib.approvals.list() })
    await crib.close()
  },
}

function declaredReason() {
  return isLive ? both : `no ${second}`
}

await modes[mode]()
