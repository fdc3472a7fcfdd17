// Tools that output their secret in every way a tool has. Both words come from the environment, never from a file or argument.
import { setTimeout as sleep } from 'node:timers/promises'
import { Readable } from 'node:stream'
import { defineTool, partialResult, runProcess, toolFailure, toolOutput } from '../../../lib/index.js'

export const first = process.env.CANARY_TOKEN
export const second = process.env.CANARY_LOOKALIKE
export const both = `here ${first} and ${second} there`
const isLive = process.env.CANARY_LIVE === 'yes'
/** The secrets in a declaration: without a live call the first word is not known to be a secret. */
export const declared = isLive ? both : `here ${second} there`

export const input = () => ({
  password: first,
  note: both,
  command: `printf '%s' '${second}'; echo '${first}' >&2`,
  nested: { list: [both, { deep: both, [`${first}-key`]: 1 }] },
})

const fails = (name, make) =>
  tool(name, async () => {
    throw make()
  })

function tool(name, execute, more = {}) {
  return defineTool({
    namespace: 'leak',
    name,
    title: `Leaks ${declared}`,
    description: `Tells ${declared} to everybody.`,
    input: {
      jsonSchema: { type: 'object', properties: { command: { type: 'string', default: declared } } },
    },
    sensitiveFields: ['password'],
    isReadOnly: true,
    isConcurrencySafe: true,
    execute,
    ...more,
  })
}

/** Every split that goes through the words. */
async function* chunks(text) {
  const bytes = Buffer.from(text)
  for (let cut = 1; cut < bytes.length; cut++) {
    yield bytes.subarray(0, cut)
    yield bytes.subarray(cut)
    yield Buffer.from('\n')
  }
}

const block = (bytes, mediaType) => ({
  type: 'file',
  data: Buffer.from(bytes).toString('base64'),
  media_type: mediaType,
  name: `${second}.bin`,
})

const stopped = new Error(`stopped ${both}`)

export const tools = [
  tool('text', () => both),
  tool('structured', () => ({ said: both, list: [both], [both]: both, encoded: encodings() })),
  tool('stream', () =>
    toolOutput({ stream: Readable.from(chunks(both)), name: `${second}.txt`, mediaType: 'text/plain' }),
  ),
  tool('bytes', () => toolOutput({ stream: Readable.from(chunks(`\0${first}\0`)) })),
  tool('long', () => `${both}\n${'x'.repeat(200_000)}\n${both}`),
  tool('long-stream', () => Readable.from([both, '\n', 'y'.repeat(3_000_000), both])),
  tool('blocks', () =>
    toolOutput({
      content: [
        { type: 'text', text: both },
        block(`\0\x01${first}\x02`, 'image/png'),
        block(both, 'text/plain'),
        block(`${'\0'.repeat(9000)}${first}`, 'application/zip'),
      ],
      summary: both,
      resourceRefs: [{ uri: `file:///${second}`, name: both }],
      artifactRefs: [{ uri: `https://user:${first}@host/${second}`, name: both }],
      contextModifier: { set: both },
    }),
  ),
  tool('partly', () => toolOutput({ structured: { done: both }, partialFailure: both })),
  tool('declared-output', () => ({ secret: first, again: `it is ${first}`, like: second }), {
    sensitiveOutputFields: ['secret'],
  }),
  tool('forms', () => ({ said: both }), {
    toModel: ({ said }) => `model ${said}`,
    toUi: ({ said }) => `ui ${said}`,
    transcriptText: ({ said }) => `transcript ${said}`,
  }),
  tool('progress', async function* (_, context) {
    yield both
    context.progress({ message: both, current_step: both, task_id: second, artifact_refs: [{ uri: both }] })
    yield partialResult({ part: both })
    return 'done'
  }),
  tool('hides', (_, context) => {
    context.hide('only-this-call-knows')
    return `it is only-this-call-knows`
  }),
  fails('throws', () =>
    Object.assign(new Error(both, { cause: new Error(both) }), { code: second, stack: both }),
  ),
  fails('throws-text', () => both),
  fails('throws-object', () => ({ why: both, code: `${first}` })),
  fails('throws-class', () => toolFailure('rate_limited', both, { code: second, nothingHappened: true })),
  tool(
    'retries',
    () => Promise.reject(toolFailure('dependency_unavailable', both, { nothingHappened: true })),
    {
      retries: { max: 2, baseMs: 1 },
    },
  ),
  tool('shell', ({ command }, { signal }) => runProcess('sh', ['-c', command], { signal }), {
    command: 'command',
    exitCode: 'exit_code',
  }),
  tool(
    'shell-fails',
    ({ command }, { signal }) => runProcess('sh', ['-c', `${command}; exit 3`], { signal }),
    { command: 'command', exitCode: 'exit_code' },
  ),
  tool('asks', async (_, context) =>
    context.requestInput({ message: both, schema: { type: 'object', title: both } }),
  ),
  tool('checks', () => 'unreached', { validate: () => both }),
  tool('locks', () => 'locked', {
    isReadOnly: false,
    locks: ({ note }) => [{ kind: 'file', key: `file:${note}`, mode: 'exclusive' }],
  }),
  tool('waits', () => sleep(60_000, undefined, { ref: false })),
  tool('late', async () => {
    await sleep(300)
    throw stopped
  }),
]

/** Only of the known word: a token is not recognized in text that another program encoded. */
function encodings() {
  const words = `here ${first} there`
  const encoded = ['', ' ', '  '].map((pad) => Buffer.from(pad + words).toString('base64'))
  return [encodeURIComponent(both), ...encoded]
}
