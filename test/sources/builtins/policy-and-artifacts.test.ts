import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCrib, defineTool, memoryStore, type Crib, type Surface, type ToolResult } from 'toolcrib'
import { builtinSource } from '../../../src/sources/builtins/builtin-source.js'
import { collect } from '../../scenarios/open-crib.js'

const command = defineTool({
  name: 'run',
  description: 'Run a command.',
  input: {
    jsonSchema: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] },
  },
  command: { field: 'command', shell: 'bash' },
  execute: () => 'ran',
})

const long = defineTool({
  name: 'long',
  description: 'Give a long text.',
  input: { jsonSchema: { type: 'object' } },
  isReadOnly: true,
  isOpenWorld: false,
  maxInlineChars: 100,
  execute: () => 'line\n'.repeat(1000),
})

let crib: Crib
let surface: Surface
const call = (name: string, input: object): Promise<ToolResult> =>
  crib.call(surface, { name, input }).then((result) => result)

beforeAll(async () => {
  crib = await createCrib({
    store: memoryStore(),
    tools: [command, long],
    sources: [builtinSource('policy'), builtinSource('artifacts')],
    permission: { deny: ['run(rm:*)'], ask: ['run(git push:*)'], allow: ['run(ls:*)', 'artifact.create'] },
  })
  surface = await crib.surface()
})
afterAll(() => crib.close())

describe('policy.check', () => {
  it.each([
    ['ls -la', 'allow'],
    ['git push origin main', 'ask'],
    ['rm -rf build', 'deny'],
  ])('tells what the rules say about "%s" without running it', async (text, behavior) => {
    const { structured_content: said } = await call('policy.check', { tool: 'run', input: { command: text } })
    expect(said).toMatchObject({ tool_id: 'local.run', behavior, reason: expect.stringMatching(/\w/) })
    expect(await collect(crib.invocations({ tool: 'run' }))).toEqual([])
  })

  it('names what a tool does, and a tool that the caller does not have', async () => {
    expect(crib.declaration('policy.check')).toMatchObject({ tool_kind: 'policy_check' })
    const result = await call('policy.check', { tool: 'missing' })
    expect(result.error!.message).toBe('You have no tool "missing"; use a name from your list of tools.')
  })
})

describe('artifact tools', () => {
  it('deliver, list and show an artifact and its versions', async () => {
    const made = await call('artifact.create', { name: 'notes.md', content: '# Notes', title: 'Notes' })
    expect(made).toMatchObject({ status: 'succeeded', artifact_refs: [{ media_type: 'text/markdown' }] })
    const [first] = (
      (await call('artifact.list', {})).structured_content as { artifacts: { artifact_id: string }[] }
    ).artifacts
    expect(first).toMatchObject({ name: 'notes.md', title: 'Notes', version: 1, size_bytes: 7 })
    await call('artifact.create', {
      name: 'notes.md',
      content: '# More notes',
      artifact_id: first!.artifact_id,
    })
    const shown = (await call('artifact.show', { artifact_id: first!.artifact_id })).structured_content
    expect(shown).toMatchObject({
      version: 2,
      versions: [
        { version: 1, made_by: 'tool_artifact_create' },
        { version: 2, made_by: 'tool_artifact_create', preview: '# More notes' },
      ],
    })
    const { uri } = (shown as { versions: { uri: string }[] }).versions[0]!
    expect(await crib.read(uri)).toMatchObject({ kind: 'text', text: '# Notes' })
  })

  it('deliver a stored result by its ref', async () => {
    const { persisted_payload_ref: ref } = await call('long', {})
    const made = await call('artifact.create', { name: 'long.txt', content: ref!.uri })
    expect(made.artifact_refs).toMatchObject([{ size_bytes: 5000 }])
  })

  it('say which artifact does not exist', async () => {
    const message = 'There is no artifact art_none; artifact.list names those that there are.'
    for (const [name, input] of [
      ['artifact.show', { artifact_id: 'art_none' }],
      ['artifact.create', { name: 'a.txt', content: 'x', artifact_id: 'art_none' }],
    ] as const)
      expect((await call(name, input)).error).toMatchObject({ message })
  })

  it('state their kind', () => {
    for (const name of ['artifact.list', 'artifact.show', 'artifact.create'])
      expect(crib.declaration(name)).toMatchObject({
        tool_kind: 'artifact_operation',
        namespace: 'local.artifacts',
      })
  })
})
