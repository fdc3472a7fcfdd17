import { describe, expect, it } from 'vitest'
import {
  commandHook,
  defineHook,
  defineTool,
  partialResult,
  toolOutput,
  type HookDefinition,
  type HookPersistence,
} from 'toolcrib'
import { collect, onBothStores, openCrib, shownText } from '../scenarios/open-crib.js'
import { answering, makeCall, printing } from './make-call.js'

const keeping = (persistence: HookPersistence, more: Partial<HookDefinition> = {}) =>
  defineHook({ id: 'keeper', event: 'result_persistence', run: answering({ persistence }), ...more })

const SECRET = 'canary-4711'
const person = () => ({
  name: 'Ada',
  card: { number: SECRET, limit: 7 },
  orders: [{ card: SECRET }, { card: 'x' }],
})

describe('fields that a hook redacts', () => {
  it('are gone from the result and from the log, in all their forms', async () => {
    const hook = keeping({
      strategy: 'redact',
      reason: 'cards stay here',
      fields: ['card.number', 'orders.*.card'],
    })
    const { result, story } = await makeCall([hook], {
      execute: () =>
        toolOutput({
          structured: person(),
          content: [{ type: 'text', text: `the card is ${SECRET}` }],
          summary: SECRET,
          resourceRefs: [{ uri: `card://${SECRET}` }],
          partialFailure: `${SECRET} was refused`,
        }),
      tool: { toUi: () => SECRET, transcriptText: () => SECRET },
    })
    expect(JSON.stringify([result, story])).not.toContain(SECRET)
    expect(result.structured_content).toEqual({
      name: 'Ada',
      card: { number: '[redacted]', limit: 7 },
      orders: [{ card: '[redacted]' }, { card: '[redacted]' }],
    })
    expect(result).toMatchObject({ redaction_state: 'partially_redacted', is_error: false })
    expect(JSON.parse(shownText(result))).toEqual(result.structured_content)
    expect(story.result).toEqual(result)
    expect(story.persistence).toMatchObject({
      strategy: 'redact',
      reason: 'cards stay here',
      redaction_state: 'partially_redacted',
      result_id: result.result_id,
      toolcrib: { by: 'hook:keeper', fields: ['card.number', 'orders.*.card'] },
    })
    expect(result.persistence_refs).toEqual([story.persistence!.decision_id])
  })

  it('of several hooks are all removed', async () => {
    const hooks = ['name', 'orders'].map((field) =>
      keeping({ strategy: 'redact', reason: field, fields: [field] }, { id: field }),
    )
    const { result } = await makeCall(hooks, { execute: person })
    expect(result.structured_content).toEqual({
      name: '[redacted]',
      card: { number: SECRET, limit: 7 },
      orders: '[redacted]',
    })
  })

  it('of a plain text cannot be found: the whole text is removed', async () => {
    const hook = keeping({ strategy: 'redact', reason: 'r', fields: ['card'] })
    const { result, story } = await makeCall([hook], { execute: () => `the card is ${SECRET}` })
    expect(JSON.stringify([result, story])).not.toContain(SECRET)
    expect(result.redaction_state).toBe('redacted')
  })

  it('that do not exist change nothing, and the decision is recorded', async () => {
    const hook = keeping({ strategy: 'redact', reason: 'r', fields: ['no.such'] })
    const { result, story } = await makeCall([hook], { execute: person })
    expect(result.structured_content).toEqual(person())
    expect(story.persistence).toMatchObject({ strategy: 'redact', redaction_state: 'none' })
  })
})

describe('a result that a hook', () => {
  it('redacts as a whole is still a success, without content', async () => {
    const { result, story } = await makeCall([keeping({ strategy: 'redact', reason: 'private' })], {
      execute: person,
    })
    expect(story.invocation.status).toBe('succeeded')
    expect(result).toMatchObject({
      status: 'redacted',
      is_error: false,
      redaction_state: 'redacted',
      content: [{ text: '[redacted]' }],
    })
    expect(shownText(result)).toBe('The result was redacted: private')
    expect(JSON.stringify([result, story])).not.toContain(SECRET)
  })

  it('redacts or drops still reports to the person that a part failed, and nothing of the output', async () => {
    for (const wish of [
      { strategy: 'redact' as const, fields: ['card', 'orders'] },
      { strategy: 'drop_with_reason' as const },
    ]) {
      const { result } = await makeCall([keeping({ ...wish, reason: 'private' })], {
        execute: () => toolOutput({ structured: person(), partialFailure: `the card ${SECRET} was refused` }),
      })
      expect(result.ui_facing_summary).toMatch(/\S/)
      expect(JSON.stringify(result)).not.toContain(SECRET)
    }
  })

  it('drops is removed, with the reason', async () => {
    const { result, story } = await makeCall([keeping({ strategy: 'drop_with_reason', reason: 'too old' })], {
      execute: person,
    })
    expect(shownText(result)).toBe('The result was dropped: too old')
    expect(story.persistence).toMatchObject({
      strategy: 'drop_with_reason',
      reason: 'too old',
      preview_size_bytes: 0,
    })
    expect(JSON.stringify([result, story])).not.toContain(SECRET)
  })

  it('stops ends as an error that says why', async () => {
    const hook = defineHook({
      id: 'keeper',
      event: 'result_persistence',
      run: answering({ stop: { reason: 'never' } }),
    })
    const { result } = await makeCall([hook], { execute: person })
    expect(result).toMatchObject({
      status: 'redacted',
      is_error: true,
      error: { error_class: 'result_redacted' },
    })
    expect(result.error!.message).toContain('forbids keeping the result: never')
  })

  it('blocks by its exit code is returned and not stored', async () => {
    const hook = commandHook({
      id: 'keeper',
      event: 'result_persistence',
      command: 'echo "not in my log" >&2; exit 2',
      shell: true,
    })
    const { result, story } = await makeCall([hook], { execute: person })
    expect(result.structured_content).toEqual(person())
    expect(story.persistence).toMatchObject({ strategy: 'never_persist', reason: 'not in my log' })
  })

  it('is decided about by a program too', async () => {
    const hook = commandHook({
      id: 'keeper',
      event: 'result_persistence',
      ...printing({
        hookSpecificOutput: {
          hookEventName: 'ResultPersistence',
          persistence: { strategy: 'redact', reason: 'r', fields: ['card'] },
        },
      }),
    })
    const { result, story } = await makeCall([hook], { execute: person })
    expect(result.structured_content).toMatchObject({ card: '[redacted]' })
    expect(story.hooks[0]!.toolcrib).toMatchObject({
      persistence: { strategy: 'redact', reason: 'r', fields: ['card'] },
    })
  })

  it('does not decide about is stored as usual', async () => {
    const { result, story } = await makeCall([
      defineHook({ id: 'k', event: 'result_persistence', run: () => ({ additionalContext: 'seen' }) }),
    ])
    expect(result.structured_content).toEqual({ done: true })
    expect(result.toolcrib!['additional_context']).toEqual(['seen'])
    expect(story.persistence).toBeUndefined()
  })
})

onBothStores('a result that may be given but not kept', (newStore) => {
  it('reaches its caller; the log records that there was one', async () => {
    const { result, story } = await makeCall([keeping({ strategy: 'never_persist', reason: 'private' })], {
      store: newStore(),
      execute: person,
    })
    expect(result).toMatchObject({
      status: 'succeeded',
      structured_content: person(),
      redaction_state: 'none',
    })
    expect(JSON.stringify(story)).not.toContain(SECRET)
    expect(story.result).toMatchObject({
      result_id: result.result_id,
      status: 'succeeded',
      is_error: false,
      content: [],
      redaction_state: 'redacted',
      persistence_refs: [story.persistence!.decision_id],
    })
    expect(shownText(story.result!)).toBe('The result was given to its caller and not kept: private')
    expect(story.persistence).toMatchObject({ strategy: 'never_persist', reason: 'private' })
  })

  it('stays out of the events, of a stream and of every query', async () => {
    const crib = await openCrib({
      store: newStore(),
      decider: () => ({ behavior: 'allow' }),
      hooks: [keeping({ strategy: 'never_persist', reason: 'private' })],
      tools: [defineTool({ name: 'give', description: 'G.', execute: person })],
    })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 'give' })
    const streamed = await collect(call)
    const result = await call
    expect(JSON.stringify(result)).toContain(SECRET)
    const said = [
      streamed,
      await collect(crib.events()),
      await collect(crib.results()),
      await collect(crib.invocations()),
      await crib.result(call.invocationId),
    ]
    expect(JSON.stringify(said)).not.toContain(SECRET)
    expect(Object.isFrozen(result)).toBe(true)
  })

  it('is redacted for its caller if another hook requires it', async () => {
    const hooks = [
      keeping({ strategy: 'never_persist', reason: 'private' }, { id: 'a' }),
      keeping({ strategy: 'redact', reason: 'cards', fields: ['card', 'orders'] }, { id: 'b' }),
    ]
    const { result, story } = await makeCall(hooks, { store: newStore(), execute: person })
    expect(result.structured_content).toEqual({ name: 'Ada', card: '[redacted]', orders: '[redacted]' })
    expect(story.result!.content).toEqual([])
    expect(story.persistence).toMatchObject({
      strategy: 'never_persist',
      redaction_state: 'partially_redacted',
      toolcrib: { by: 'hook:a', redacted_by: 'hook:b' },
    })
  })
})

describe('a failing hook on persistence', () => {
  const broken = (onFailure?: 'deny' | 'continue') =>
    defineHook({
      id: 'keeper',
      event: 'result_persistence',
      ...(onFailure && { onFailure }),
      run: () => {
        throw new Error('it broke')
      },
    })

  it('does not agree: the caller gets the result with a notice, the log does not store it', async () => {
    const { result, story } = await makeCall([broken()], { execute: person })
    expect(result).toMatchObject({ status: 'succeeded', structured_content: person() })
    expect(result.toolcrib!['hook_problem']).toContain('it broke')
    expect(JSON.stringify(story)).not.toContain(SECRET)
    expect(story.persistence).toMatchObject({
      strategy: 'never_persist',
      reason: expect.stringContaining('it broke'),
    })
    expect(story.result!.toolcrib!['hook_problem']).toContain('it broke')
  })

  it('may be set to withhold the result, or to be ignored', async () => {
    const denied = await makeCall([broken('deny')], { execute: person })
    expect(denied.result.error!.error_class).toBe('result_redacted')
    const passed = await makeCall([broken('continue')], { execute: person })
    expect(passed.story.result!.structured_content).toEqual(person())
    expect(passed.result.toolcrib!['hook_problem']).toContain('it broke')
  })
})

describe('a long result', () => {
  const long = () => ({ name: 'Ada', card: SECRET, text: 'x'.repeat(5000) })

  it('is redacted before it is truncated', async () => {
    const hook = keeping({ strategy: 'redact', reason: 'cards', fields: ['card'] })
    const { result, story } = await makeCall([hook], { execute: long, results: { maxInlineChars: 100 } })
    expect(result).toMatchObject({ status: 'succeeded', redaction_state: 'partially_redacted' })
    expect(JSON.stringify([result, story])).not.toContain(SECRET)
    expect(story.persistence).toMatchObject({
      strategy: 'preview_and_persist',
      reason: 'result_exceeded_inline_limit',
      toolcrib: { redacted_by: 'hook:keeper' },
    })
  })

  it('that a hook empties is not long any more', async () => {
    const hook = keeping({ strategy: 'redact', reason: 'all' })
    const { result, story } = await makeCall([hook], { execute: long, results: { maxInlineChars: 300 } })
    expect(result.status).toBe('redacted')
    expect(story.persistence!.original_size_bytes).toBeGreaterThan(5000)
  })

  it('that may not be stored is truncated for its caller all the same', async () => {
    const hook = keeping({ strategy: 'never_persist', reason: 'private' })
    const { result, story } = await makeCall([hook], { execute: long, results: { maxInlineChars: 100 } })
    expect(result.status).toBe('too_large')
    expect(story.result).toMatchObject({ status: 'too_large', content: [] })
  })
})

it('parts that a tool gave before its end are in the log by then', async () => {
  const crib = await openCrib({
    decider: () => ({ behavior: 'allow' }),
    hooks: [keeping({ strategy: 'never_persist', reason: 'private' })],
    tools: [
      defineTool({
        name: 'drip',
        description: 'D.',
        async *execute() {
          yield partialResult({ part: 1 })
          return { whole: SECRET }
        },
      }),
    ],
  })
  const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 'drip' })
  await call
  const story = (await crib.story(call.invocationId))!
  expect(story.partials).toMatchObject([{ value: { part: 1 } }])
  expect(JSON.stringify(story)).not.toContain(SECRET)
})
