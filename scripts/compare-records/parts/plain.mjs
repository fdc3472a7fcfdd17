import { add, anyObject, echo, note, number, objectOf, quiet, text } from './tools.mjs'

const SENTENCE = 'The quick brown fox of 1987 jumps over 13 lazy dogs, again and again. '
const LINKED = 'See https://example.com/a/b?c=d#e and /var/log/app.log, or mail ana@example.com about it. '

const texts = {
  'empty text': '',
  'one letter': 'a',
  'quotes and escapes': 'a "b" \\ \n\t \u0000 \u001f </script> \u2028',
  'other scripts': 'Grüße, 你好, 🧶👩‍👩‍👧, e\u0301, \u202eabc',
  'lone surrogate': 'a \ud800 b',
  'a kilobyte': SENTENCE.repeat(15).slice(0, 1024),
  'a kilobyte with links': LINKED.repeat(12).slice(0, 1024),
  'a kilobyte of digits': '0123456789'.repeat(103).slice(0, 1024),
  'ten kilobytes': SENTENCE.repeat(150).slice(0, 10_240),
  'JSON as a text': '{"a":[1,2,{"b":null}],"text":"x"}',
  'a ref in a text': 'toolcrib://artifacts/art_none/latest',
}

const values = {
  nothing: undefined,
  null: null,
  yes: true,
  zero: 0,
  'a long number': Number.MAX_SAFE_INTEGER,
  'a small number': -1.5e-7,
  'an empty list': [],
  'an empty object': {},
  'keys in an odd order': { z: 1, 10: 'ten', 2: 'two', a: { y: [], x: {} } },
  'a list of texts': ['a', '', 'c'],
  'nested lists': [[[[1]], []], { a: [{ b: [null, undefined, false] }] }],
  'a date': new Date(0),
  'a map of text': { text: 'a text', content: 'b', structured: 'c', type: 'text' },
  'a reserved key': JSON.parse('{"__proto__": {"a": 1}, "constructor": 2}'),
  'hidden characters': { note: 'a\u200bb\u2060c' },
  'an undefined member': { a: undefined, b: 1 },
  'bytes of a text': new TextEncoder().encode('a few bytes'),
}

/** Fills in what is missing and changes what is there. */
const ownSchema = {
  validator: {
    '~standard': {
      version: 1,
      vendor: 'own',
      validate: (value) =>
        typeof value?.city === 'string'
          ? { value: { units: 'metric', ...value, city: value.city.trim().toUpperCase() } }
          : { issues: [{ message: 'city is a text', path: ['city'] }] },
    },
  },
  jsonSchema: { type: 'object', properties: { city: text, units: text }, required: ['city'] },
}

function tools({ lib, clock, folder }) {
  const { defineTool, toolOutput } = lib
  return [
    echo(lib),
    note(lib),
    add(lib, clock),
    defineTool({
      name: 'value',
      description: 'Gives a value.',
      ...quiet,
      input: objectOf({ name: text }),
      execute: ({ name }) => values[name],
    }),
    defineTool({
      name: 'later',
      description: 'Takes its time, forwards or backwards.',
      ...quiet,
      input: objectOf({ ms: number }),
      execute: async ({ ms }) => {
        await new Promise((resolve) => setTimeout(resolve, 2))
        clock.pass(ms)
        return 'done'
      },
    }),
    defineTool({
      name: 'weather',
      description: 'Tells the weather.',
      ...quiet,
      input: ownSchema,
      execute: (input) => input,
    }),
    defineTool({
      name: 'filled',
      description: 'Has defaults in its schema.',
      ...quiet,
      input: objectOf({ query: text, limit: { type: 'integer', default: 5 } }, ['query']),
      execute: (input) => input,
    }),
    defineTool({
      name: 'any',
      description: 'Takes any input and says what it got about itself.',
      ...quiet,
      input: anyObject,
      execute: (input, context) => ({
        input,
        id: context.invocationId,
        native: context.nativeCallId,
        surface: context.surfaceId,
        actor: context.actor,
        session: context.session,
        tenant: context.tenant,
        attempt: context.attempt,
        key: context.idempotencyKey,
        facts: context.facts,
        limits: context.resultLimits(),
        isBackground: context.inBackground,
      }),
    }),
    defineTool({
      name: 'keeps',
      description: 'Changes its input and its output when it has returned.',
      ...quiet,
      input: anyObject,
      execute: (input) => {
        const output = { list: [{ deep: true }], texts: ['a'] }
        outputs.push(output)
        setImmediate(() => spoil(input))
        return output
      },
    }),
    defineTool({
      name: 'forms',
      description: 'Gives each consumer a form of its own.',
      ...quiet,
      output: objectOf({ rows: number, names: { type: 'array', items: text } }),
      toModel: ({ rows }) => `${rows} rows for the model`,
      toUi: ({ rows }) => `${rows} rows for people`,
      transcriptText: ({ names }) => names.join(' '),
      execute: () => ({ rows: 2, names: ['Ana', 'Ben'] }),
    }),
    defineTool({
      name: 'blocks',
      description: 'Gives content blocks.',
      ...quiet,
      execute: () =>
        toolOutput({
          content: [
            { type: 'text', text: 'one' },
            { type: 'text', text: '' },
            { type: 'image', data: 'aGk=', media_type: 'image/png' },
          ],
          structured: { count: 3 },
          summary: 'Three blocks.',
          native: { request_id: 'r-17', _meta: { 'example/a': [1] } },
          resourceRefs: [{ uri: 'https://example.com/report', title: 'A report' }],
        }),
    }),
    defineTool({
      name: 'partly',
      description: 'Does some of its work.',
      ...quiet,
      execute: () => toolOutput({ structured: { done: 2 }, partialFailure: 'One of three was locked.' }),
    }),
    defineTool({
      name: 'read_file',
      description: 'Reads a file.',
      ...quiet,
      input: objectOf({ path: text }),
      paths: { path: 'read' },
      execute: ({ path }) => path.slice(folder.length),
    }),
    defineTool({
      name: 'facts',
      description: 'Depends on its input.',
      isReadOnly: ({ write }) => write !== true,
      isDestructive: () => {
        throw new Error('unknown')
      },
      isOpenWorld: false,
      input: objectOf({ write: { type: 'boolean' } }, []),
      execute: () => 'done',
    }),
  ]
}

async function callInManyForms(world, surface) {
  const named = (label, given) => {
    world.step(`a request, ${label}`)
    return world.call(surface, given)
  }
  await named('an alias', { name: 'plus', input: { a: 1, b: 2 } })
  await named('the id of a model', { name: 'math.add', input: { a: 1, b: 2 }, nativeCallId: 'call_7' })
  await named('the safe name', { name: 'math__add', input: '{"a": 1, "b": 41}' })
  await named('a name of the client', { name: 'echo', requestedName: 'say', input: { text: 'hi' } })
  await named('made by the runtime', { name: 'echo', input: { text: 'hi' }, requestedBy: 'runtime' })
  await named('in a trace', {
    name: 'echo',
    input: { text: 'hi' },
    traceParent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  })
  await named('in no trace', { name: 'echo', input: { text: 'hi' }, traceParent: 'no' })
  await named('with limits', { name: 'echo', input: { text: 'hi' }, timeoutMs: 5000, retries: 2 })
  await named('a reserved id', {
    name: 'echo',
    input: { text: 'hi' },
    // Builds before this option give the call an id themselves.
    ...(world.crib.reserveCallId && { invocationId: world.crib.reserveCallId() }),
  })
  await named('what it knows', { name: 'any', input: { deep: { list: [1, 'a', null] } }, nativeCallId: 'n' })
  await named('no input', { name: 'any' })
  await named('keys in an odd order', { name: 'any', input: { z: 1, 10: 'ten', 2: 'two', a: '' } })
  await named('a reserved key', { name: 'any', input: '{"__proto__": {"a": 1}, "b": 2}' })
}

/** Tries to change an object with everything in it, as a program may that takes it for its own. */
function spoil(value) {
  if (typeof value !== 'object' || value === null) return
  for (const key of Object.keys(value)) {
    spoil(value[key])
    Reflect.set(value, key, 'spoiled')
  }
  Reflect.set(value, 'added', 'spoiled')
}

async function spoilAll(world, surface) {
  world.step('what callers and tools change afterwards')
  const calls = [
    { name: 'echo', input: { text: 'a text' } },
    { name: 'note', input: { text: 'a text' } },
    { name: 'math.add', input: { a: 1, b: 2 } },
    { name: 'keeps', input: { list: [1, { a: 'b' }] } },
    { name: 'blocks', input: {} },
    { name: 'none', input: { text: 'a' } },
  ]
  for (const given of calls) {
    const call = world.crib.call(surface, given)
    spoil(given.input)
    const result = await world.watch(call, { label: given.name })
    for (const output of outputs.splice(0)) spoil(output)
    spoil(result)
    await world.call(surface, { name: 'echo', input: { text: 'after it' } }, { label: 'after it' })
  }
}

/** What the tool "keeps" returned. */
const outputs = []

async function run(world) {
  const { call, crib, step } = world
  const surface = await crib.surface({ scope: 'session', session: 's1', actor: 'agent:planner' })
  const turn = await crib.surface({ scope: 'turn' })
  for (const [name, text] of Object.entries(texts)) {
    step(name)
    await call(turn, { name: 'echo', input: { text } }, { label: 'read' })
    await call(surface, { name: 'note', input: { text } }, { label: 'written' })
  }
  for (const name of Object.keys(values)) {
    step(`value, ${name}`)
    await call(turn, { name: 'value', input: { name } })
  }
  step('sums')
  for (let a = 0; a < 5; a += 1) await call(surface, { name: 'math.add', input: { a, b: 0.5 } }, { label: a })
  for (const ms of [0, 1, 59_999, 86_400_000, -20]) {
    step(`a clock that moves by ${ms}`)
    await call(turn, { name: 'later', input: { ms } })
    await call(turn, { name: 'echo', input: { text: 'after it' } }, { label: 'after it' })
  }
  await callInManyForms(world, surface)
  await spoilAll(world, surface)
  step('other tools')
  const others = {
    weather: { city: ' lima ' },
    filled: { query: 'q' },
    forms: {},
    blocks: {},
    partly: {},
    read_file: { path: 'notes/../a.txt' },
    facts: {},
  }
  for (const [name, input] of Object.entries(others)) await call(surface, { name, input }, { label: name })
  await call(
    surface,
    { name: 'weather', input: { city: 'QUITO', units: 'us' } },
    { label: 'unchanged units' },
  )
  await call(surface, { name: 'filled', input: { query: 'q', limit: 1 } }, { label: 'nothing to fill' })
  await call(surface, { name: 'facts', input: { write: true } }, { label: 'facts of a write' })
  step('the same tool with a typed call')
  const typed = world.lib.defineTool({
    name: 'typed',
    description: 'Is typed.',
    ...quiet,
    execute: () => 'yes',
  })
  const registration = await crib.add([typed])
  await world.watch(crib.call(turn, typed, {}, { nativeCallId: 't' }))
  await registration.dispose?.()
  await call(turn, { name: 'typed' }, { label: 'removed' })
}

export const plain = {
  name: 'plain',
  options: (world) => ({ tools: tools(world), permission: { allow: ['note', 'facts'] } }),
  run,
}
