import { join } from 'node:path'
import { expect, it } from 'vitest'
import { defineHook, defineTool, type Decider } from 'toolcrib'
import { temporaryFolder } from '../temporary-folder.js'
import { onBothStores, openCrib } from './open-crib.js'
import { versionOf } from '../crib/records/version-of.js'

interface Note {
  path: string
  text: string
  tags: string[]
  run_as?: string
}

const modelSchema = {
  type: 'object',
  properties: {
    path: { type: 'string' },
    text: { type: 'string' },
    tags: { type: 'array', items: { type: 'string' }, default: [] },
  },
  required: ['path', 'text'],
  additionalProperties: false,
} as const

const runtimeSchema = {
  ...modelSchema,
  properties: { ...modelSchema.properties, run_as: { type: 'string', visibility: 'internal' } },
}

const asking: Decider = () => ({
  behavior: 'ask',
  reason: { type: 'rule', message: 'Notes are looked at.' },
})

onBothStores('[AT-SCEN-06] acceptance scenario 6: the four inputs stay apart', (newStore) => {
  function noteTool(execute: (note: Note) => unknown) {
    return defineTool({
      name: 'write_note',
      description: 'Writes a note.',
      input: { jsonSchema: modelSchema },
      runtimeInput: { jsonSchema: runtimeSchema },
      paths: { path: 'write' },
      execute: (input) => execute(input as Note),
    })
  }

  it('[AT-HOOK-03] [AT-INPUT-01] [AT-INPUT-04] [AT-HOOK-01] after a hook and an editing approver', async () => {
    const workspace = temporaryFolder()
    const seen: Record<string, unknown> = {}
    const crib = await openCrib({
      store: newStore(),
      workspace,
      tools: [
        noteTool((note) => {
          seen['executor'] = structuredClone(note)
          note.text = 'changed by the executor'
          note.tags.push('by the executor')
          return 'written'
        }),
      ],
      hooks: [
        defineHook({
          id: 'identity',
          event: 'pre_tool_use',
          run: ({ input }) => {
            seen['hook'] = input
            return { updatedInput: { ...(input as Note), run_as: 'clerk' } }
          },
        }),
      ],
      decider: asking,
      approver: ({ input }) => {
        seen['approver'] = input
        return { approved: true, by: 'anna', updatedInput: { ...(input as Note), text: 'kinder words' } }
      },
    })
    const surface = await crib.surface({ scope: 'turn' })
    const given = { path: 'note.md', text: 'harsh words' }
    const call = crib.call(surface, { name: 'write_note', input: given, nativeCallId: 'toolu_1' })
    // The object belongs to the caller: a later change must not affect the call.
    given.text = 'changed by the caller'
    const result = await call
    const path = join(workspace, 'note.md')

    const { invocation, mutations, inputs } = (await crib.story(call.invocationId))!
    const normalised = { path, text: 'harsh words', tags: [] }
    const rewritten = { ...normalised, run_as: 'clerk' }
    const edited = { ...rewritten, text: 'kinder words' }
    expect(invocation.model_input).toEqual({ path: 'note.md', text: 'harsh words' })
    expect(invocation.observable_input).toEqual(normalised)
    expect(invocation.permission_input).toEqual(edited)
    expect(invocation.call_input).toEqual(edited)
    expect(seen).toEqual({ hook: normalised, approver: rewritten, executor: edited })

    expect(mutations.map(({ source_type, source_ref }) => [source_type, source_ref])).toEqual([
      ['adapter', versionOf(`tool_interface:${invocation.tool_id}`)],
      ['runtime', versionOf('toolcrib:paths')],
      ['hook', versionOf('hook:identity')],
      ['permission_prompt', invocation.approval_request_ref],
    ])
    expect(mutations.map(({ changed_fields: fields }) => fields)).toEqual([
      ['tags'],
      ['path'],
      ['run_as'],
      ['text'],
    ])
    for (const [index, mutation] of mutations.entries()) {
      expect(mutation).toMatchObject({ schema_version: '0.2.0', invocation_id: call.invocationId })
      expect(mutation.reason).toBeTruthy()
      expect(await crib.resolveRef(mutation.from_input_ref!)).toEqual(inputs[index])
      expect(await crib.resolveRef(mutation.to_input_ref!)).toEqual(inputs[index + 1])
    }
    for (const which of ['model', 'observable', 'permission', 'call'] as const) {
      expect(await crib.resolveRef(invocation[`${which}_input_ref`]!)).toEqual(invocation[`${which}_input`])
    }

    // [AT-INPUT-03]: the result names who changed the input.
    expect(result.toolcrib?.['input_mutations']).toEqual(
      mutations.map(({ mutation_id, source_type, source_ref }) => ({ mutation_id, source_type, source_ref })),
    )
  })

  it('an input that is shown cannot be changed by its reader', async () => {
    const attempts: boolean[] = []
    const tryToChange = (input: unknown): void => {
      attempts.push(Reflect.set(input as object, 'text', 'changed'))
      attempts.push(Reflect.set((input as Note).tags, 0, 'changed'))
    }
    const crib = await openCrib({
      store: newStore(),
      tools: [noteTool(({ text }) => text)],
      hooks: [defineHook({ id: 'sly', event: 'pre_tool_use', run: ({ input }) => tryToChange(input) })],
      decider: (request) => {
        tryToChange(request.input)
        return asking(request)
      },
      approver: ({ input }) => {
        tryToChange(input)
        return { approved: true }
      },
    })
    const surface = await crib.surface({ scope: 'turn' })
    const call = crib.call(surface, { name: 'write_note', input: { path: '/n', text: 'mine', tags: ['a'] } })
    expect(await call).toMatchObject({ content: [{ type: 'text', text: 'mine' }] })
    expect(attempts).toHaveLength(6)
    expect(attempts).not.toContain(true)
    expect((await crib.invocation(call.invocationId))!.call_input).toEqual({
      path: '/n',
      text: 'mine',
      tags: ['a'],
    })
  })

  it('an unchanged input is the same in all four places, and no mutation is recorded', async () => {
    const crib = await openCrib({
      store: newStore(),
      tools: [noteTool(() => 'ok')],
      decider: () => ({ behavior: 'allow' }),
    })
    const surface = await crib.surface({ scope: 'turn' })
    const input = { path: '/n', text: 't', tags: ['x'] }
    const call = crib.call(surface, { name: 'write_note', input })
    expect((await call).toolcrib).not.toHaveProperty('input_mutations')
    const { invocation, mutations } = (await crib.story(call.invocationId))!
    expect(mutations).toEqual([])
    expect(invocation.model_input).toEqual(input)
    expect(invocation.observable_input).toEqual(input)
    expect(invocation.permission_input).toEqual(input)
    expect(invocation.call_input).toEqual(input)
    expect(
      new Set(
        ['model', 'observable', 'permission', 'call'].map(
          (n) => invocation[`${n}_input_ref` as 'call_input_ref'],
        ),
      ).size,
    ).toBe(1)
  })
})
