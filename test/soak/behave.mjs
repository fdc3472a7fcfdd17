import { AsyncLocalStorage } from 'node:async_hooks'
import { z } from 'zod'
import { secretive } from './plans.mjs'

/** The plan of the call for which code runs now. */
export const current = new AsyncLocalStorage()

const plan = () => current.getStore().plan
const secret = () => current.getStore().secret
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const forever = () => new Promise(() => {})

function cycle() {
  const self = { a: 1 }
  self.self = self
  return self
}

function deep(levels) {
  let value = { end: true }
  for (let n = 0; n < levels; n++) value = { n: value }
  return value
}

class Point {
  constructor() {
    this.x = 1
  }
  get y() {
    return 2
  }
}

const throwing = (key) =>
  Object.defineProperty({}, key, {
    enumerable: true,
    get() {
      throw new Error('the getter threw')
    },
  })

export const SECRET_PATHS = ['password', 'nested.token', 'list.*.key']

function inputFor({ name, input }, text) {
  const isText = name === 'text'
  const valid = isText
    ? 'some text'
    : name === 'zodded'
      ? { n: 1, when: '2024-01-02T03:04:05.000Z' }
      : { n: 1, s: 'two' }
  const full =
    isText || !secretive.includes(name)
      ? valid
      : { ...valid, password: text, nested: { token: text }, list: [{ key: text }] }
  switch (input) {
    case 'valid':
      return full
    case 'valid text':
      return JSON.stringify(full)
    case 'invalid':
      return { ...(isText ? {} : full), n: 'not a number', when: 'never' }
    case 'extra':
      return { ...(isText ? {} : full), more: [1, { a: null }] }
    case 'proto':
      return JSON.parse(`{"__proto__":{"polluted":true},"n":1,"constructor":1,"when":"2024-01-02"}`)
    case 'null':
      return null
    case 'list':
      return [full]
    case 'malformed':
      return `{"n":1,"password":"${isText ? 'x' : text}",,}`
    case 'cut off':
      return JSON.stringify(full).slice(0, -1)
    case 'cycle':
      return Object.assign(cycle(), { n: 1 })
    case 'bigint':
      return { n: 1n }
    case 'function':
      return { n: () => 1 }
    case 'nan':
      return { n: Number.NaN }
    case 'date':
      return { n: 1, when: new Date(0) }
    case 'throwing getter':
      return throwing('n')
    case 'deep':
      return deep(300)
  }
}

function outputFor(library, kind, text) {
  switch (kind) {
    case 'text':
      return 'done'
    case 'undefined':
      return undefined
    case 'null':
      return null
    case 'empty':
      return ''
    case 'number':
      return 42
    case 'object':
      return { ok: true, list: [1, 2] }
    case 'array':
      return [1, 'two', null]
    case 'cycle':
      return cycle()
    case 'bigint':
      return { n: 1n }
    case 'symbol':
      return Symbol('s')
    case 'function':
      return () => 1
    case 'class instance':
      return new Point()
    case 'throwing getter':
      return throwing('then')
    case 'throwing toJSON':
      return {
        toJSON() {
          throw new Error('toJSON threw')
        },
      }
    case 'proxy':
      return new Proxy(
        {},
        {
          get() {
            throw new Error('the proxy threw')
          },
          has() {
            throw new Error('the proxy threw')
          },
        },
      )
    case 'date':
      return new Date(0)
    case 'map':
      return new Map([['a', 1]])
    case 'large':
      return 'x'.repeat(3_000)
    case 'proto key':
      return JSON.parse('{"__proto__":{"polluted":true}}')
    case 'deep':
      return deep(400)
    case 'secret':
      return { said: `it is ${text}`, raw: text }
    case 'secret key':
      return { [text]: 1 }
    case 'rich':
      return library.toolOutput({
        content: [{ type: 'text', text }],
        structured: { text },
        summary: text,
        resourceRefs: [{ uri: `x:${text}` }],
        contextModifier: { text },
      })
    case 'rich cycle':
      return library.toolOutput({ structured: 1, resourceRefs: [cycle()], contextModifier: cycle() })
    case 'partial failure':
      return library.toolOutput({ structured: 'half', partialFailure: `the rest failed: ${text}` })
    case 'async iterable':
      return {
        async *[Symbol.asyncIterator]() {
          yield 1
        },
      }
  }
}

function failureFor(library, kind, text) {
  switch (kind) {
    case 'error':
      return new Error('failed')
    case 'string':
      return 'failed'
    case 'empty string':
      return ''
    case 'undefined':
      return undefined
    case 'null':
      return null
    case 'frozen':
      return Object.freeze({ message: 'frozen', code: 7 })
    case 'throwing getters':
      return Object.defineProperties(
        {},
        { message: { get: cry }, code: { get: cry }, name: { get: cry }, toString: { get: cry } },
      )
    case 'symbol':
      return Symbol('failed')
    case 'number':
      return 404
    case 'secret message':
      return new Error(`cannot log in with ${text}`)
    case 'secret code':
      return Object.assign(new Error('failed'), { code: text })
    case 'secret name':
      return Object.assign(new Error('failed'), { name: text })
    case 'failure rate_limited':
      return library.toolFailure('rate_limited', 'slow down', { retryAfter: 3 })
    case 'failure setup_required':
      return library.toolFailure('setup_required', 'set me up')
    case 'failure timeout':
      return library.toolFailure('timeout', 'too slow')
    case 'failure secret code':
      return library.toolFailure('execution_failed', text, { code: text })
    case 'nested cause':
      return new Error('outer', { cause: new Error(text) })
  }
}

function cry() {
  throw new Error('the getter threw')
}

async function takeStep(kind, context, text) {
  switch (kind) {
    case 'progress text':
      return context.progress('working')
    case 'progress object':
      return context.progress({
        message: 'm',
        percent: 250,
        current_step: 'one',
        total_steps: 3,
        bytes_read: 1.5,
      })
    case 'progress junk':
      return context.progress({
        message: 7n,
        percent: 'x',
        task_id: {},
        artifact_refs: [{ uri: 'a' }],
        total_steps: Symbol('s'),
      })
    case 'progress secret':
      return context.progress({
        message: text,
        current_step: text,
        task_id: text,
        artifact_refs: [{ uri: text }],
      })
    case 'flood':
      for (let n = 0; n < 1_200; n++) context.progress({ line_count: n })
      return
    case 'ask':
      return context.requestInput({ message: 'which one?', schema: { type: 'string' } })
    case 'ask twice':
      return Promise.all([context.requestInput({ message: 'a?' }), context.requestInput({ message: 'b?' })])
    case 'ask without waiting':
      return void context.requestInput({ message: 'a?' }).catch(() => {})
    case 'ask secret':
      return context.requestInput({ message: text, schema: { const: text } })
    case 'pause':
      return pause(1)
  }
}

function partialFor(kind, text) {
  if (kind === 'partial') return { part: 1 }
  return kind === 'partial secret' ? { text } : cycle()
}

async function finish(library, context, p, text) {
  switch (p.end) {
    case 'throw':
      throw failureFor(library, p.failure, text)
    case 'hang':
      return forever()
    case 'hang until aborted':
      return new Promise((_, reject) => {
        if (context.signal.aborted) reject(context.signal.reason)
        context.signal.addEventListener('abort', () => reject(context.signal.reason))
      })
    case 'late':
      await pause(22)
      context.progress('late')
      return 'late'
    default:
      return outputFor(library, p.output, text)
  }
}

function executeWith(library) {
  return (input, context) => {
    const p = plan()
    const text = secret()
    if (p.name === 'zodded' && !(input.when instanceof Date))
      throw new Error('VIOLATION: the transformed value is lost')
    if (p.shape === 'sync' && p.end !== 'hang' && p.end !== 'hang until aborted' && p.end !== 'late') {
      for (const step of p.steps) {
        if (!step.startsWith('ask') || step === 'ask without waiting') void takeStep(step, context, text)
      }
      if (p.end === 'throw') throw failureFor(library, p.failure, text)
      return outputFor(library, p.output, text)
    }
    if (p.shape === 'generator') return generate(library, context, p, text)
    const work = async () => {
      for (const step of p.steps) await takeStep(step, context, text)
      return finish(library, context, p, text)
    }
    if (p.shape === 'thenable') {
      return {
        // oxlint-disable-next-line unicorn/no-thenable -- some tools return such things
        then(resolve, reject) {
          work().then(resolve, reject)
        },
      }
    }
    if (p.shape === 'bad thenable') {
      return {
        // oxlint-disable-next-line unicorn/no-thenable -- some tools return such things
        then(resolve) {
          if (p.end === 'throw') throw new Error('then threw')
          resolve('once')
          resolve('twice')
        },
      }
    }
    return work()
  }
}

async function* generate(library, context, p, text) {
  try {
    for (const step of p.steps) {
      if (step.startsWith('partial')) yield library.partialResult(partialFor(step, text))
      else if (step === 'progress text') yield 'working'
      else if (step === 'progress object') yield { percent: 3 }
      else if (step === 'progress junk') yield 7
      else await takeStep(step, context, text)
    }
    return await finish(library, context, p, text)
  } finally {
    if (p.steps.length === 2) await pause(1)
  }
}

function answerHook(kind, call, text) {
  const input = typeof call.input === 'object' && call.input !== null ? call.input : {}
  switch (kind) {
    case 'nothing':
      return undefined
    case 'allow':
    case 'ask':
    case 'deny':
    case 'passthrough':
      return { permission: { behavior: kind, message: 'as I said' } }
    case 'message':
      return { message: 'noted' }
    case 'secret message':
      return {
        message: text,
        permission: { behavior: 'deny', message: text },
        additionalContext: text,
        progress: text,
      }
    case 'progress':
      return { progress: 'checking' }
    case 'context':
      return { additionalContext: ['one', 'two'] }
    case 'stop':
      return { stop: { reason: 'enough' } }
    case 'secret stop':
      return { stop: { reason: text } }
    case 'rewrite':
      return { updatedInput: { ...input, s: 'rewritten' } }
    case 'rewrite same':
      return { updatedInput: structuredClone(input) }
    case 'rewrite invalid':
      return { updatedInput: { ...input, n: 'wrong' } }
    case 'rewrite cycle':
      return { updatedInput: cycle() }
    case 'rewrite secret':
      return { updatedInput: { ...input, password: `${text}-b`, nested: { token: `${text}-c` } } }
    case 'throw':
      throw new Error('the hook broke')
    case 'throw secret':
      throw new Error(`the hook broke on ${text}`)
    case 'junk':
      return 'junk'
    case 'junk fields':
      return {
        message: 7,
        progress: {},
        permission: { behavior: 'perhaps' },
        additionalContext: 3,
        stop: true,
      }
    case 'cycle fields':
      return {
        permission: { behavior: 'allow', message: 'fine', more: cycle(), big: 1n },
        message: { toString: cry },
      }
    case 'slow':
      return pause(2).then(() => undefined)
    case 'hang':
      return forever()
    case 'output':
      return { updatedOutput: { replaced: text } }
    case 'output cycle':
      return { updatedOutput: cycle() }
  }
}

function decide({ input }) {
  const { verdict } = plan()
  const text = secret()
  const reason = { type: 'rule', message: 'by rule' }
  switch (verdict) {
    case 'allow':
    case 'deny':
    case 'ask':
    case 'passthrough':
      return { behavior: verdict, reason }
    case 'ask default':
      return { behavior: 'ask', isDefault: true }
    case 'throw':
      throw new Error('the decider broke')
    case 'throw secret':
      throw new Error(`the decider broke on ${text}`)
    case 'junk':
      return 7
    case 'junk fields':
      return {
        behavior: 'allow',
        source: 5,
        reason: 'because',
        rule_refs: 'r',
        policy_refs: 7,
        blocked_path: {},
      }
    case 'cycle fields':
      return { behavior: 'ask', reason: { type: 'rule', message: 1n }, suggested_updates: [cycle()] }
    case 'secret reason':
      return {
        behavior: 'deny',
        reason: { type: 'rule', message: `no ${text}` },
        blocked_path: text,
        rule_refs: [text],
      }
    case 'async allow':
      return Promise.resolve({ behavior: 'allow' })
    case 'async ask':
      return Promise.resolve({ behavior: 'ask', reason })
    case 'slow allow':
      return pause(2).then(() => ({ behavior: 'allow' }))
    case 'rewrite': {
      const isDone = typeof input === 'object' && input !== null && input.s === 'decided'
      return isDone ? { behavior: 'allow' } : { behavior: 'allow', updated_input: { ...input, s: 'decided' } }
    }
    case 'rewrite always':
      return { behavior: 'allow', updated_input: { ...input, s: `s${Math.random()}` } }
    case 'reject':
      return Promise.reject(new Error('the decider broke later'))
  }
}

async function approve({ input, signal }) {
  const text = secret()
  switch (plan().approval) {
    case 'approve':
      return { approved: true, by: 'ann', feedback: 'fine' }
    case 'edit':
      return { approved: true, updatedInput: { ...input, s: 'edited' } }
    case 'edit secret':
      return {
        approved: true,
        feedback: text,
        updatedInput: { ...input, password: `${text}-d`, nested: { token: `${text}-e` } },
      }
    case 'edit invalid':
      return { approved: true, updatedInput: { ...input, n: {} } }
    case 'edit cycle':
      return { approved: true, updatedInput: cycle() }
    case 'reject':
      return { approved: false, feedback: 'no' }
    case 'reject secret':
      return { approved: false, feedback: `no ${text}`, by: text }
    case 'throw':
      throw new Error('the approver broke')
    case 'junk':
      return 'yes'
    case 'hang': {
      const from = current.getStore()
      from.cancelWhenAsked?.()
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve({ approved: true })))
    }
  }
}

async function respond() {
  switch (plan().responder) {
    case 'accept':
      return { action: 'accept', content: { picked: secret() } }
    case 'decline':
      return { action: 'decline' }
    case 'throw':
      throw new Error('nobody there')
    case 'junk':
      return 'what?'
    case 'slow':
      await pause(2)
      return { action: 'cancel' }
  }
}

function check() {
  const text = secret()
  switch (plan().check) {
    case 'nothing':
      return undefined
    case 'text':
      return 'is not to my taste'
    case 'issues':
      return [{ path: '/n', message: `is ${text}` }]
    case 'refusal':
      return { errorClass: 'sandbox_violation', message: text }
    case 'throw':
      throw new Error('the check broke')
    case 'throw secret':
      throw new Error(text)
    case 'slow':
      return pause(1).then(() => undefined)
    case 'junk':
      return 7
  }
}

/** Everything that a crib needs to play any plan. */
export function createPlayers(library) {
  const { defineTool, defineHook } = library
  const execute = executeWith(library)
  const free = { type: 'object' }
  const typed = {
    type: 'object',
    properties: { n: { type: 'integer' }, s: { type: 'string', default: 'none' } },
    required: ['n'],
  }
  const reading = { isReadOnly: true, isOpenWorld: false }
  const base = { description: 'Plays its part.', execute, maxInlineChars: 2_000 }
  const drafts = [
    { name: 'free', input: { jsonSchema: free }, ...reading },
    { name: 'write', input: { jsonSchema: free } },
    { name: 'typed', input: { jsonSchema: typed }, ...reading },
    { name: 'typed_write', input: { jsonSchema: typed } },
    {
      name: 'zodded',
      input: z.object({ n: z.number(), when: z.string().transform((text) => new Date(text)) }),
      ...reading,
    },
    { name: 'secret', input: { jsonSchema: free }, sensitiveFields: SECRET_PATHS, ...reading },
    { name: 'secret_write', input: { jsonSchema: typed }, sensitiveFields: SECRET_PATHS },
    { name: 'text', input: { jsonSchema: { type: 'string' } }, ...reading },
    {
      name: 'checked',
      input: { jsonSchema: free },
      sensitiveFields: SECRET_PATHS,
      validate: check,
      ...reading,
    },
    { name: 'preflighted', input: { jsonSchema: free }, preflight: check },
    {
      name: 'outputted',
      input: { jsonSchema: free },
      output: { jsonSchema: { type: 'object', required: ['ok'] } },
      ...reading,
    },
    {
      name: 'mapped',
      input: { jsonSchema: free },
      ...reading,
      toModel: (output) => output.list.join(),
      toUi: () => 'one line',
      transcriptText: () => 'found here',
    },
    { name: 'stubborn', input: { jsonSchema: free }, mutationPolicy: 'forbid', ...reading },
    { name: 'deferred', shouldDefer: true },
    { name: 'disabled', isEnabled: false },
    { name: 'setup', requiresSetup: () => 'a key is missing' },
    { name: 'dup' },
  ]
  const tools = ['plain', 'hooked'].flatMap((namespace) =>
    drafts.map((draft) => defineTool({ ...base, ...draft, namespace })),
  )
  const hook = (id, event, field) =>
    defineHook({
      id,
      event,
      tools: ['hooked.*'],
      timeoutMs: 8,
      run: (call) => answerHook(plan()[field], call, secret()),
    })
  return {
    tools,
    hooks: [
      hook('pre', 'pre_tool_use', 'pre'),
      hook('pre2', 'pre_tool_use', 'pre2'),
      hook('post', 'post_tool_use', 'post'),
      hook('sorry', 'post_tool_use_failure', 'post'),
    ],
    decider: decide,
    approver: approve,
    responder: respond,
    timeoutMs: 12,
    cancelGraceMs: 6,
  }
}

/** Makes the call that a plan describes. Resolves with its outcome, also where there is none. */
export async function play(crib, surface, { plan: p, secret: text }, timeoutMs) {
  const controller = new AbortController()
  const context = { plan: p, secret: text, cancelWhenAsked: undefined }
  const isBare = ['dup', 'nowhere', '__proto__', ''].includes(p.name)
  const name = isBare ? p.name : `${p.isHooked ? 'hooked' : 'plain'}.${p.name}`
  if (p.cancel === 'aborted signal') controller.abort()
  const natives = { text: `native-${p.input}`, none: undefined, number: 7 }
  let call
  try {
    call = current.run(context, () =>
      crib.call(surface, {
        name,
        input: inputFor(p, text),
        signal: controller.signal,
        nativeCallId: natives[p.native],
      }),
    )
  } catch (error) {
    return { id: undefined, broken: `the call threw: ${error?.stack ?? error}` }
  }
  // An approver that waits for ever ends with the call; nothing else would end it.
  context.cancelWhenAsked = () => setImmediate(() => call.cancel())
  if (p.approval === 'hang') setTimeout(() => call.cancel(), 30)
  cancelAsPlanned(p.cancel, call, controller)
  const streamed = p.isStreamed ? readAll(call) : undefined
  let timer
  const outOfPatience = new Promise((resolve) => {
    timer = setTimeout(() => resolve({ id: call.invocationId, broken: 'the call never ended' }), timeoutMs)
  })
  const ended = (async () => {
    try {
      const result = await call
      return { id: call.invocationId, result, streamed: await streamed }
    } catch (error) {
      return { id: call.invocationId, broken: `the call was rejected: ${error?.message ?? error}` }
    }
  })()
  try {
    return await Promise.race([ended, outOfPatience])
  } finally {
    clearTimeout(timer)
  }
}

function cancelAsPlanned(when, call, controller) {
  if (when === 'now' || when === 'twice') call.cancel()
  if (when === 'twice') call.cancel('timeout')
  if (when === 'soon') setImmediate(() => call.cancel())
  if (when === 'later') setTimeout(() => call.cancel(), 3)
  if (when === 'signal soon') setTimeout(() => controller.abort(), 1)
}

async function readAll(call) {
  const events = []
  for await (const event of call) events.push(event)
  return events
}
