import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, vi } from 'vitest'
import {
  defineTool,
  type CallStory,
  type CribOptions,
  type HookAnswer,
  type HookDefinition,
  type ToolEvent,
  type ToolResult,
} from 'toolcrib'
import type { CoreObject } from '../../src/contract/index.js'
import { schemas } from '../../src/contract/schemas.js'
import { toEmitSchema } from '../../src/contract/to-emit-schema.js'
import { standardSchemas } from '../contract/standard-schemas.js'
import { openCrib } from '../scenarios/open-crib.js'

export interface Made {
  result: ToolResult
  story: CallStory
  events: readonly ToolEvent[]
  /** The input that the executor got, if it ran. */
  ran: unknown
  executions: number
  asked: number
}

export interface MakeOptions extends Omit<CribOptions, 'tools' | 'hooks'> {
  input?: unknown
  execute?: (input: unknown) => unknown
  tool?: object
  signal?: AbortSignal
  /** Whether the approver approves; absent: there is none. */
  approves?: boolean
}

/** One call of one tool with these hooks. All its records are checked with Toolcrib's schemas and the standard's. */
export async function makeCall(hooks: readonly HookDefinition[], options: MakeOptions = {}): Promise<Made> {
  const { input = {}, execute = () => ({ done: true }), tool = {}, signal, approves, ...more } = options
  const executor = vi.fn(execute)
  const approver = vi.fn(() => ({ approved: approves === true }) as const)
  const crib = await openCrib({
    decider: () => ({ behavior: 'allow' }),
    ...more,
    ...(approves !== undefined && { approver: approver as never }),
    hooks,
    tools: [
      defineTool({
        namespace: 'files',
        name: 'write',
        description: 'Writes.',
        aliases: ['Write', 'put'],
        ...tool,
        execute: executor as never,
      }),
    ],
  })
  const call = crib.call(await crib.surface({ scope: 'turn', session: 's1' }), {
    name: 'files.write',
    input,
    nativeCallId: 'call_7',
    ...(signal && { signal }),
  })
  const result = await call
  const story = (await crib.story(call.invocationId))!
  expectSoundRecords(story)
  const events: ToolEvent[] = []
  for await (const event of crib.events()) if (event.invocation_id === call.invocationId) events.push(event)
  for (const { ref } of story.hooks.flatMap(({ outputs }) => outputs ?? [])) {
    if (ref !== undefined) expect(await crib.resolveRef(ref), ref).toBeDefined()
  }
  return {
    result,
    story,
    events,
    ran: executor.mock.calls[0]?.[0],
    executions: executor.mock.calls.length,
    asked: approver.mock.calls.length,
  }
}

const ajv = new Ajv2020({ strict: false, allErrors: true })
const ours = new Map(
  Object.entries(schemas).map(([name, schema]) => [name, ajv.compile(toEmitSchema(schema))]),
)
const theirs = new Map<string, ReturnType<typeof ajv.compile>>(
  standardSchemas.map(([name, schema]) => [name, ajv.compile(schema)]),
)

function expectSoundRecords({
  hooks,
  mutations,
  decisions,
  result,
  persistence,
  invocation,
}: CallStory): void {
  const records: [CoreObject, unknown][] = [
    ...hooks.map((each) => ['tool_hook', each] as [CoreObject, unknown]),
    ...mutations.map((each) => ['tool_input_mutation', each] as [CoreObject, unknown]),
    ...decisions.map((each) => ['tool_permission_decision', each] as [CoreObject, unknown]),
    ['tool_result', result],
    ['tool_invocation', invocation],
    ...(persistence ? [['tool_result_persistence', persistence] as [CoreObject, unknown]] : []),
  ]
  for (const [name, record] of records) {
    for (const validate of [ours.get(name), theirs.get(name)]) {
      if (validate && !validate(record))
        expect(validate.errors, `${name} ${JSON.stringify(record)}`).toEqual([])
    }
  }
}

/** A Node program as a command: the text is its whole source, and `input` in it is its stdin. */
export function program(source: string): { command: string; args: string[] } {
  const reads = "const input = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));"
  return { command: process.execPath, args: ['-e', `${reads}\n${source}`] }
}

export const printing = (output: unknown): { command: string; args: string[] } =>
  program(`process.stdout.write(${JSON.stringify(JSON.stringify(output))})`)

export const answering =
  (answer: unknown): HookDefinition['run'] =>
  () =>
    answer as HookAnswer
