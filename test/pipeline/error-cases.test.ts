import { createServer } from 'node:net'
import { expect, it } from 'vitest'
import { z } from 'zod'
import {
  defineHook,
  defineTool,
  toolFailure,
  toolOutput,
  type Call,
  type Crib,
  type CribOptions,
  type SurfaceRequest,
  type ToolResult,
} from 'toolcrib'
import { onBothStores, openCrib } from '../scenarios/open-crib.js'

const retry = {
  safe: false,
  change_arguments: false,
  discover_first: false,
  approval_again: false,
  caused_by_sibling: false,
}

/** The expected record of a case. `person` also has to name the tool. */
interface Expected {
  class: string
  code: string
  result?: string
  invocation: string
  /** Whether the result counts as an error; a partial success does not. */
  isError?: boolean
  help: string
  retry?: Partial<typeof retry>
  retryAfter?: number | null
  native?: string
  model: RegExp
  person: RegExp
}

interface Case {
  title: string
  tool?: object
  crib?: Partial<CribOptions>
  surface?: Partial<SurfaceRequest>
  call?: { name?: string; input?: unknown }
  /** For cases that need more than one call. The call is in an object, because it is a promise and would be awaited. */
  make?(start: () => Call, crib: Crib): Promise<{ made: Call }>
  expected: Expected
}

const asks = { decider: () => ({ behavior: 'ask' as const }) }
const throws = (error: unknown) => ({
  execute() {
    throw error
  },
})
const never = {
  supports: ['cancel'],
  execute: (_input: unknown, { progress }: { progress(text: string): void }) => {
    progress('at work')
    return new Promise<never>(() => {})
  },
}

/** A port without a listener: it was free a moment ago. */
async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

const hook = (run: () => unknown, more: object = {}) =>
  defineHook({ id: 'gate', event: 'pre_tool_use', run: run as never, ...more })

const cases: Case[] = [
  {
    title: 'the tool does not exist',
    call: { name: 'wrote' },
    expected: {
      class: 'unknown_tool',
      code: 'toolcrib.unknown_tool',
      invocation: 'failed',
      help: 'discover_first',
      retry: { discover_first: true },
      model: /Use a name from your list/,
      person: /There is no tool "wrote" here/,
    },
  },
  {
    title: 'it exists but is not surfaced',
    surface: { exclude: ['local.write'] },
    expected: {
      class: 'blocked_tool',
      code: 'toolcrib.blocked_tool',
      invocation: 'blocked',
      help: 'change_arguments_or_policy',
      model: /Do not call it again here/,
      person: /exists but is not available here/,
    },
  },
  {
    title: 'it is deferred and its schema was not loaded',
    tool: { shouldDefer: true },
    expected: {
      class: 'schema_not_loaded',
      code: 'toolcrib.schema_not_loaded',
      invocation: 'blocked',
      help: 'discover_first',
      retry: { discover_first: true },
      model: /Do not guess its arguments/,
      person: /before its description was read/,
    },
  },
  {
    title: 'the arguments failed the schema',
    call: { input: { path: 7 } },
    expected: {
      class: 'schema_validation_failed',
      code: 'toolcrib.schema_validation_failed',
      invocation: 'schema_parse_failed',
      help: 'change_arguments',
      retry: { change_arguments: true },
      model: /Correct the fields that the message names and call it again/,
      person: /details that it cannot read/,
    },
  },
  {
    title: 'the tool refused the values',
    tool: { validate: () => 'path must end with .txt' },
    expected: {
      class: 'invalid_arguments',
      code: 'toolcrib.invalid_arguments',
      invocation: 'validation_failed',
      help: 'change_arguments',
      retry: { change_arguments: true },
      model: /Choose other values/,
      person: /did not accept the values/,
    },
  },
  {
    title: 'a sandbox was violated',
    tool: { validate: () => ({ errorClass: 'sandbox_violation', message: '/etc lies outside.' }) },
    expected: {
      class: 'sandbox_violation',
      code: 'toolcrib.sandbox_violation',
      invocation: 'validation_failed',
      help: 'change_arguments',
      retry: { change_arguments: true },
      model: /Stay inside/,
      person: /reach beyond what it may use/,
    },
  },
  {
    title: 'a hook blocked',
    crib: { hooks: [hook(() => ({ stop: { reason: 'Not on Fridays.' } }))] },
    expected: {
      class: 'hook_blocked',
      code: 'toolcrib.hook_blocked',
      invocation: 'blocked',
      help: 'change_arguments_or_policy',
      retry: { change_arguments: true },
      model: /Do not try to reach the same by another way/,
      person: /A check that was set up here stopped/,
    },
  },
  {
    title: 'a hook withheld the result',
    crib: { hooks: [hook(() => ({ stop: { reason: 'Private.' } }), { event: 'post_tool_use' })] },
    expected: {
      class: 'hook_blocked',
      code: 'toolcrib.result_withheld',
      invocation: 'blocked',
      help: 'change_arguments_or_policy',
      retry: { change_arguments: true },
      model: /It has run: do not call it again/,
      person: /did its work, but a check .* withholds its result/,
    },
  },
  {
    title: 'a hook failed',
    crib: {
      hooks: [
        hook(
          () => {
            throw new Error('no disk')
          },
          { onFailure: 'deny' },
        ),
      ],
    },
    expected: {
      class: 'hook_failed',
      code: 'toolcrib.hook_failed',
      invocation: 'blocked',
      help: 'retry',
      retry: { safe: true },
      model: /Nothing ran: call it once more/,
      person: /failed, so nothing was done/,
    },
  },
  {
    title: 'a rule denied',
    crib: { decider: () => ({ behavior: 'allow' }), permission: { deny: ['local.write(path = a.txt)'] } },
    expected: {
      class: 'permission_denied',
      code: 'toolcrib.permission_denied',
      result: 'denied',
      invocation: 'denied',
      help: 'change_arguments_or_policy',
      retry: { change_arguments: true },
      model: /Do not try to reach the same by another way: tell the person what was denied and by which rule/,
      person: /was not allowed to do this/,
    },
  },
  {
    title: 'a rule denied the tool as a whole, so that the surface does not have it',
    crib: { decider: () => ({ behavior: 'allow' }), permission: { deny: ['local.write'] } },
    expected: {
      class: 'blocked_tool',
      code: 'toolcrib.blocked_tool',
      invocation: 'blocked',
      help: 'change_arguments_or_policy',
      model: /denied by the rule|deny[^]*Do not call it again here/i,
      person: /exists but is not available here/,
    },
  },
  {
    title: 'policy blocked',
    crib: {
      decider: () => ({ behavior: 'deny', reason: { type: 'policy', message: 'Frozen for the audit.' } }),
    },
    expected: {
      class: 'policy_blocked',
      code: 'toolcrib.policy_blocked',
      result: 'denied',
      invocation: 'denied',
      help: 'change_arguments_or_policy',
      retry: { change_arguments: true },
      model: /the policy forbids it/,
      person: /A policy forbids/,
    },
  },
  {
    title: 'a human rejected',
    crib: { ...asks, approver: () => ({ approved: false, feedback: 'Use the copy.' }) },
    expected: {
      class: 'approval_rejected',
      code: 'toolcrib.approval_rejected',
      result: 'rejected',
      invocation: 'denied',
      help: 'ask_again',
      retry: { approval_again: true },
      model: /Use the copy\.[^]*Do not send it again unchanged/,
      person: /was not approved/,
    },
  },
  {
    title: 'there was no approver',
    crib: asks,
    expected: {
      class: 'approval_rejected',
      code: 'toolcrib.nobody_to_ask',
      result: 'rejected',
      invocation: 'denied',
      help: 'ask_again',
      retry: { approval_again: true },
      model: /tell the person that this needs an approval/,
      person: /nobody can give it/,
    },
  },
  {
    title: 'setup is missing',
    tool: { requiresSetup: () => 'Log in first.' },
    expected: {
      class: 'setup_required',
      code: 'toolcrib.setup_required',
      invocation: 'blocked',
      help: 'set_up_first',
      model: /what has to be set up/,
      person: /not ready for use yet/,
    },
  },
  {
    title: 'credentials are missing',
    tool: { requiredCredentials: ['github'] },
    expected: {
      class: 'credential_missing',
      code: 'toolcrib.credential_missing',
      invocation: 'blocked',
      help: 'set_up_first',
      model: /do not ask for passwords or keys/,
      person: /a key or a sign-in is missing/,
    },
  },
  {
    title: 'credentials were refused by the server behind the tool',
    tool: throws(Object.assign(new Error('Bad token.'), { status: 401 })),
    expected: {
      class: 'credential_missing',
      code: 'toolcrib.credential_missing',
      invocation: 'blocked',
      help: 'set_up_first',
      native: 'http_status:401',
      model: /do not ask for passwords or keys/,
      person: /a key or a sign-in is missing/,
    },
  },
  {
    title: 'execution failed inside the tool',
    tool: throws(new TypeError('cannot read it')),
    expected: {
      class: 'execution_failed',
      code: 'toolcrib.execution_failed',
      invocation: 'failed',
      help: 'inspect_first',
      native: 'TypeError',
      model: /Check what it has done before you call it again/,
      person: /failed\. It may have done a part of its work/,
    },
  },
  {
    title: 'execution failed in a tool that only reads',
    tool: { ...throws(new Error('no such table')), isReadOnly: true },
    expected: {
      class: 'execution_failed',
      code: 'toolcrib.execution_failed',
      invocation: 'failed',
      help: 'inspect_first',
      retry: { safe: true },
      native: 'Error',
      model: /It is safe to call it again/,
      person: /It is safe to try again/,
    },
  },
  {
    title: 'a file that a tool reads does not exist',
    tool: throws(Object.assign(new Error('ENOENT: no such file'), { code: 'ENOENT' })),
    expected: {
      class: 'execution_failed',
      code: 'toolcrib.execution_failed',
      invocation: 'failed',
      help: 'inspect_first',
      native: 'ENOENT',
      model: /^ENOENT: no such file/,
      person: /" failed\. /,
    },
  },
  {
    title: 'the network failed',
    tool: { execute: async () => fetch(`http://127.0.0.1:${await closedPort()}/`) },
    expected: {
      class: 'dependency_unavailable',
      code: 'toolcrib.dependency_unavailable',
      invocation: 'failed',
      help: 'retry_later',
      native: 'ECONNREFUSED',
      model: /Check whether it took effect before you call it again/,
      person: /could not reach something that it needs/,
    },
  },
  {
    title: 'a dependency is unavailable and says for how long',
    tool: {
      ...throws(
        Object.assign(new Error('Down.'), {
          response: { status: 503, headers: new Headers({ 'retry-after': '20' }) },
        }),
      ),
      isIdempotent: true,
    },
    expected: {
      class: 'dependency_unavailable',
      code: 'toolcrib.dependency_unavailable',
      invocation: 'failed',
      help: 'retry_later',
      retry: { safe: true },
      retryAfter: 20,
      native: 'http_status:503',
      model: /Call it again later.* Wait 20 s first\.$/,
      person: /Try again later/,
    },
  },
  {
    title: 'the tool classifies its failure, with its own code',
    tool: throws(toolFailure('setup_required', 'No index yet.', { code: 'search.no_index' })),
    expected: {
      class: 'setup_required',
      code: 'search.no_index',
      invocation: 'blocked',
      help: 'set_up_first',
      native: 'search.no_index',
      model: /No index yet\.[^]*what has to be set up/,
      person: /not ready for use yet/,
    },
  },
  {
    title: 'a sibling’s failure canceled it',
    make: async (start) => {
      const made = start()
      made.cancel('sibling_error')
      return { made }
    },
    expected: {
      class: 'sibling_canceled',
      code: 'toolcrib.sibling_canceled',
      result: 'synthetic_error',
      invocation: 'canceled',
      help: 'retry',
      retry: { safe: true, caused_by_sibling: true },
      model: /Fix the call that failed/,
      person: /because another step of the same work failed/,
    },
  },
  {
    title: 'only a part of the work was done',
    tool: { execute: () => toolOutput({ structured: { moved: 2 }, partialFailure: 'One file was locked.' }) },
    expected: {
      class: 'partial_failure',
      code: 'toolcrib.partial_failure',
      result: 'partial_succeeded',
      invocation: 'succeeded',
      isError: false,
      help: 'inspect_first',
      model: /^One file was locked\.\nUse the part that is done[^]*moved/,
      person: /did only a part of its work/,
    },
  },
  {
    title: 'the result cannot be recorded, because it is not JSON',
    tool: { execute: () => ({ n: 10n }) },
    expected: {
      class: 'result_mapping_failed',
      code: 'toolcrib.result_mapping_failed',
      invocation: 'failed',
      help: 'inspect_first',
      native: 'TypeError',
      model: /Do not call it again for the output alone/,
      person: /its output cannot be used/,
    },
  },
  {
    title: 'the result may not be shown',
    crib: {
      hooks: [
        hook(
          () => {
            throw new Error('no vault')
          },
          { event: 'result_persistence', onFailure: 'deny' },
        ),
      ],
    },
    expected: {
      class: 'result_redacted',
      code: 'toolcrib.result_redacted',
      result: 'redacted',
      invocation: 'failed',
      help: 'not_recoverable',
      model: /Do not try to get it in another way/,
      person: /its output may not be shown/,
    },
  },
  {
    title: 'it ran out of time',
    tool: { ...never, timeoutMs: 5 },
    expected: {
      class: 'timeout',
      code: 'toolcrib.timeout',
      result: 'timed_out',
      invocation: 'timed_out',
      help: 'inspect_first',
      model: /Find out whether it took effect/,
      person: /took too long and was abandoned/,
    },
  },
  {
    title: 'it was canceled before it ran',
    make: async (start) => {
      const made = start()
      made.cancel()
      return { made }
    },
    expected: {
      class: 'canceled',
      code: 'toolcrib.canceled',
      result: 'canceled',
      invocation: 'canceled',
      help: 'retry',
      retry: { safe: true },
      model: /Do not call it again on your own; ask/,
      person: /was canceled\. It can be started again/,
    },
  },
  {
    title: 'it was canceled while it ran, and its tool did not stop',
    make: async (start, crib) => {
      const made = start()
      for await (const { event_type: type } of made) if (type === 'tool.invocation.progress') break
      await crib.task(made.invocationId).cancel()
      return { made }
    },
    tool: never,
    expected: {
      class: 'canceled',
      code: 'toolcrib.cancel_failed',
      result: 'canceled',
      invocation: 'canceled',
      help: 'inspect_first',
      model: /It may still be running: check what it does/,
      person: /was told to stop and did not confirm that it has\. It may still be running/,
    },
  },
  {
    title: 'too many calls in a minute',
    crib: { limits: [{ by: 'tool', perMinute: 1, over: 'refuse' }] },
    make: async (start) => {
      await start()
      return { made: start() }
    },
    expected: {
      class: 'rate_limited',
      code: 'toolcrib.rate_limited',
      invocation: 'blocked',
      help: 'retry_later',
      retry: { safe: true },
      retryAfter: expect.any(Number) as never,
      model: /Do something else until then/,
      person: /used too often in a short time/,
    },
  },
  {
    title: 'a run has used up its calls',
    crib: { limits: [{ by: 'tool', perRun: 1 }] },
    surface: { session: 's1' },
    make: async (start) => {
      await start()
      return { made: start() }
    },
    expected: {
      class: 'rate_limited',
      code: 'toolcrib.budget_spent',
      invocation: 'blocked',
      help: 'not_recoverable',
      model: /Do not call it again in this run/,
      person: /reached its limit for one run/,
    },
  },
]

onBothStores(
  '[AT-RES-05] [AT-ERR-02] [AT-ERR-01] [AT-RES-03] every way to go wrong is told apart',
  (newStore) => {
    async function runCase({ tool, crib: options, surface, call, make }: Case) {
      const crib = await openCrib({
        store: newStore(),
        tools: [
          defineTool({
            name: 'write',
            title: 'Write a file',
            description: 'Writes.',
            input: z.object({ path: z.string().default('a.txt') }),
            execute: () => 'written',
            ...tool,
          } as never),
        ],
        decider: () => ({ behavior: 'allow' }),
        ...options,
      })
      const built = await crib.surface({ scope: 'turn', ...surface })
      const start = (): Call => crib.call(built, { name: 'write', input: {}, ...call })
      const { made } = make ? await make(start, crib) : { made: start() }
      return { result: await made, story: (await crib.story(made.invocationId))! }
    }

    it.each(cases.map((each) => [each.title, each] as const))('%s', async (_title, each) => {
      const { expected } = each
      const { result, story } = await runCase(each)
      expect(result).toMatchObject({
        status: expected.result ?? 'failed',
        is_error: expected.isError ?? true,
        error: {
          error_class: expected.class,
          error_code: expected.code,
          recoverability: expected.help,
          retry_after: expected.retryAfter ?? null,
          toolcrib: { retry: { ...retry, ...expected.retry } },
        },
      })
      expect(result.error!.native_error_ref).toBe(expected.native)
      expect(story.invocation.status).toBe(expected.invocation)
      expect(story.result).toEqual(JSON.parse(JSON.stringify(result)))
      expectWords(result, expected)
    })
  },
)

function expectWords(result: ToolResult, { model, person }: Expected): void {
  const [said, advice] = result.model_facing_content!.map(({ text }) => text!)
  expect(said).toBe(result.error!.message)
  expect(result.model_facing_content!.map(({ text }) => text).join('\n')).toMatch(model)
  for (const sentence of advice!.split(/(?<=[.;:]) /)) expect(said).not.toContain(sentence)
  expect(result.ui_facing_summary).toMatch(person)
  expect(result.ui_facing_summary).toMatch(/"(?:write \(Write a file\)|wrote)"/)
  expect(result.ui_facing_summary).not.toContain('_')
}
