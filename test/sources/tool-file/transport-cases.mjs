// What every transport of tool files does, as a list of cases. Vitest runs it by transport-contract.ts, and the integration
// workspace by node:test: the library is given, and nothing here belongs to a test runner.
import assert from 'node:assert/strict'

/** The tool that a case calls; the peer replaces what its transport needs. */
const TOOL = {
  file: 'tools/work.tool.md',
  specVersion: '1.2',
  toolId: 'work',
  version: '1.0.0',
  status: 'active',
  type: 'retrieval',
  meta: { name: 'Work', description: 'Works.', owner: 'tests', tags: [] },
  input: { type: 'object', properties: { text: { type: 'string' } } },
  output: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  fileFields: { input: [], output: [] },
  guidance: { use_when: [], avoid_when: [], side_effects: [] },
  errorCodes: {},
  digest: 'digest-of-work',
}

const MEANING = { meaning: 'The peer refuses', agent_action: 'Ask the owner of the peer' }

async function openWork(does, { peer, library, env = peer.env, tool = {}, crib: cribOptions = {} }) {
  const { createCrib, memoryStore, createFolderTools, createLiveSecrets } = library
  const problems = []
  const tools = createFolderTools({
    entry: 'contract',
    settings: {},
    folder: '.',
    env,
    live: createLiveSecrets(),
    hidesOwnSecrets: true,
    onProblem: (message) => problems.push(message),
    ...peer.options,
  })
  const compiled = { ...TOOL, ...tool, ...peer.tool(does), ...(tool.type && { type: tool.type }) }
  const source = {
    name: 'tools:contract',
    list: () => tools.drafts([compiled]),
    close: () => tools.close(),
  }
  const crib = await createCrib({
    store: memoryStore(),
    sources: [source],
    retries: { max: 0, baseMs: 1 },
    ...(!cribOptions.permission && { decider: () => ({ behavior: 'allow' }) }),
    ...cribOptions,
  })
  const surface = await crib.surface()
  const call = (input = { text: 'hello' }, options = {}) =>
    crib.call(surface, { name: 'aml.contract.work', input, retries: 0, ...options })
  return { crib, surface, call, problems }
}

/** Opens the tool, runs the test and closes the crib, whatever happens. */
const withWork = (does, test, more) => async (peer, library) => {
  const opened = await openWork(does, { peer, library, ...more?.(peer) })
  try {
    await test({ ...opened, peer })
  } finally {
    await opened.crib.close({ graceMs: 50 })
  }
}

const until = async (holds, what) => {
  for (const end = Date.now() + 15_000; !(await holds());) {
    if (Date.now() > end) throw new Error(`It did not happen in time: ${what}.`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

const withErrorCodes = (peer) => ({ tool: { errorCodes: { [peer.refusal.code]: MEANING } } })

async function everythingRecorded(crib, invocationId) {
  const texts = []
  for await (const event of crib.events({ invocation: invocationId })) texts.push(JSON.stringify(event))
  return texts.join('\n')
}

/** `needs`: what the peer must have for the case; `name`: by which a peer leaves it out, with a reason. */
export const transportCases = [
  {
    name: 'answer',
    title: 'gives the answer of the service as structured output, with native facts',
    run: withWork('answer', async ({ call, peer }) => {
      const result = await call({ text: 'hello' })
      assert.equal(result.status, 'succeeded', result.error?.message)
      assert.deepEqual(result.structured_content, peer.answer('hello'))
      const { native } = result.toolcrib
      assert.equal(native.source, 'aml')
      assert.equal(native.tool_id, 'work')
    }),
  },
  {
    name: 'parallel',
    title: 'serves 50 calls at once',
    run: withWork('answer', async ({ call, peer }) => {
      const texts = Array.from({ length: 50 }, (_, at) => `text ${at}`)
      const results = await Promise.all(texts.map((text) => call({ text }, { timeoutMs: 30_000 })))
      assert.deepEqual(
        results.map(({ structured_content: output, error }) => error?.message ?? output),
        texts.map((text) => peer.answer(text)),
      )
    }),
  },
  {
    name: 'mismatch',
    title: 'fails where the output does not fit its schema, and says that the tool ran',
    run: withWork('mismatch', async ({ call }) => {
      const { error } = await call()
      assert.equal(error?.error_code, 'toolcrib.output_schema_mismatch', error?.message)
      assert.match(error.message, /^The tool ran, but/)
    }),
  },
  {
    name: 'refuse',
    title: 'makes an error of what the service refuses, with its code, its meaning and what to do',
    run: withWork(
      'refuse',
      async ({ call, peer }) => {
        const { error } = await call()
        assert.equal(error?.error_class, peer.refusal.errorClass, error?.message)
        assert.match(error.message, /The peer refuses\.$/)
        assert.equal(error.toolcrib.retry.advice, 'Ask the owner of the peer.')
        assert.ok(error.toolcrib.native, 'the error has no native facts')
        assert.match(JSON.stringify(error.toolcrib.native), new RegExp(peer.refusal.code))
      },
      withErrorCodes,
    ),
  },
  {
    name: 'timeout',
    title: 'ends a call whose time is over',
    run: withWork(
      'hang',
      async ({ call }) => {
        const { error, status } = await call({ text: 'hello' }, { timeoutMs: 150 })
        assert.equal(error?.error_class, 'timeout', error?.message)
        assert.equal(status, 'timed_out')
      },
      () => ({ tool: { type: 'retrieval' } }),
    ),
  },
  {
    name: 'cancel',
    title: 'ends the work of the service when a call is canceled',
    run: withWork('hang', async ({ call, peer }) => {
      const before = { calls: await peer.calls(), aborted: await peer.aborted() }
      const controller = new AbortController()
      const running = call({ text: 'hello' }, { signal: controller.signal, timeoutMs: 30_000 })
      await until(async () => (await peer.calls()) > before.calls, 'the call arrives at the peer')
      controller.abort()
      const { error } = await running
      assert.equal(error?.error_class, 'canceled', error?.message)
      await until(async () => (await peer.aborted()) > before.aborted, 'the peer sees the end of the call')
    }),
  },
  {
    name: 'credential',
    title: 'says what to set up where its credential is missing, and sends nothing',
    run: withWork(
      'answer',
      async ({ call, crib, peer }) => {
        const before = await peer.calls()
        const { error } = await call()
        assert.match(
          `${error?.error_class} ${error?.error_code}`,
          /^(?:setup_required|credential_missing|blocked_tool) /,
          error?.message,
        )
        const { draft } = crib.tool('aml.contract.work')
        const problem = draft.availability.setupProblem()
        assert.ok(problem, 'the tool does not say that it needs a setup')
        assert.equal(await peer.calls(), before)
      },
      () => ({ env: {} }),
    ),
  },
  {
    name: 'secrets',
    title: 'shows no secret in results, errors and events, also where the service repeats it',
    run: async (peer, library) => {
      for (const does of ['answer', 'refuse', 'mismatch'])
        await withWork(does, async ({ call, crib, problems }) => {
          const result = await call({ text: does === 'answer' ? (peer.echoed ?? 'hello') : 'hello' })
          const recorded = await everythingRecorded(crib, result.invocation_id)
          for (const secret of peer.secrets)
            for (const [where, text] of Object.entries({
              result: JSON.stringify(result),
              recorded,
              problems: problems.join(),
            }))
              assert.ok(!text.includes(secret), `a secret is in the ${where} of ${does}`)
        })(peer, library)
    },
  },
  {
    name: 'hosts',
    title: 'states its hosts, so that a rule for a domain meets it',
    run: async (peer, library) => {
      const [host] = peer.hosts
      const permission = { mode: 'bypass', deny: [`WebFetch(domain:${host})`] }
      await withWork(
        'answer',
        async ({ call, crib }) => {
          const { draft } = crib.tool('aml.contract.work')
          assert.deepEqual([...(draft.reach.hosts ?? [])], [...peer.hosts])
          const before = await peer.calls()
          const { error } = await call()
          assert.match(error?.error_class ?? 'none', /^(?:permission_denied|policy_blocked|blocked_tool)$/)
          assert.equal(await peer.calls(), before)
        },
        () => ({ crib: { permission } }),
      )(peer, library)
    },
  },
  {
    name: 'large',
    title: 'stores a large result, and gives a ref to it',
    run: withWork('large', async ({ call, crib }) => {
      const result = await call({ text: 'hello' }, { timeoutMs: 30_000 })
      assert.equal(result.status, 'succeeded', result.error?.message)
      assert.ok(result.persisted_payload_ref, 'the result has no ref')
      assert.ok(JSON.stringify(result).length < 200_000, 'the result is not short')
      const { size_bytes: bytes } = result.persisted_payload_ref
      assert.ok(bytes > 1_000_000, `the stored result has ${bytes} bytes`)
      assert.ok(crib)
    }),
  },
  {
    name: 'close',
    title: 'has no connection after its crib is closed',
    run: async (peer, library) => {
      const { crib, call } = await openWork('answer', { peer, library })
      const { error } = await call()
      assert.equal(error, undefined, error?.message)
      await crib.close()
      await until(async () => (await peer.connections()) === 0, 'all connections are closed')
    },
  },
  {
    name: 'close-running',
    title: 'aborts calls that run when its crib is closed',
    run: async (peer, library) => {
      const before = await peer.calls()
      const { crib, call } = await openWork('hang', { peer, library })
      const running = call({ text: 'hello' }, { timeoutMs: 30_000 })
      await until(async () => (await peer.calls()) > before, 'the call arrives at the peer')
      await crib.close({ graceMs: 10 })
      const { is_error: isError } = await running
      assert.ok(isError)
      await until(async () => (await peer.connections()) === 0, 'all connections are closed')
    },
  },
]
