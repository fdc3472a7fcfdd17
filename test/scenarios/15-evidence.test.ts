import { describe, expect, it } from 'vitest'
import { defineHook, defineTool, sqliteStore, toolFailure, type CallStory } from 'toolcrib'
import { openCrib, temporaryStorePath } from './open-crib.js'

const reading = { isReadOnly: true, isOpenWorld: false } as const

/** Makes the calls, closes, and reads the stories with a crib that has none of the tools. */
async function storiesOf(names: readonly string[]): Promise<{
  stories: CallStory[]
  resolve(ref: string): Promise<unknown>
}> {
  const path = temporaryStorePath()
  const answer = {
    jsonSchema: { type: 'object', properties: { hits: { type: 'array' } }, required: ['hits'] },
  }
  const crib = await openCrib({
    store: sqliteStore({ path }),
    permission: { allow: ['docs.*'], deny: ['docs.secret'] },
    hooks: [
      defineHook({
        id: 'shorten',
        event: 'post_tool_use',
        matcher: 'docs.long',
        run: () => ({ updatedOutput: { hits: [] } }),
      }),
    ],
    tools: ['plain', 'secret', 'long']
      .map((name) =>
        defineTool({
          namespace: 'docs',
          name,
          description: `Looks up ${name}.`,
          ...reading,
          output: answer,
          execute: () => ({ hits: [name] }),
        }),
      )
      .concat(
        defineTool({
          namespace: 'docs',
          name: 'broken',
          description: 'Fails.',
          ...reading,
          execute: () => {
            throw toolFailure('dependency_unavailable', 'The index is away.')
          },
        }),
      ),
  })
  const surface = await crib.surface()
  const calls = names.map((name) =>
    crib.call(surface, { name, input: { q: 'locks' }, nativeCallId: `call_${name}` }),
  )
  await Promise.all(calls)
  await crib.close()
  const reader = await openCrib({ store: sqliteStore({ path }) })
  return {
    stories: await Promise.all(calls.map(async ({ invocationId }) => (await reader.story(invocationId))!)),
    resolve: (ref) => reader.resolveRef(ref),
  }
}

describe('[AT-SCEN-15] acceptance scenario 15: what ran, under which native id, and why its result can be trusted', () => {
  it('the tool is identified by id, version and native id, and its definition is found in the store alone', async () => {
    const { stories, resolve } = await storiesOf(['docs.plain'])
    const { invocation, result } = stories[0]!
    expect(invocation).toMatchObject({ tool_id: 'docs.plain', native_call_id: 'call_docs.plain' })
    expect(result!.toolcrib).toMatchObject({ native_call_id: 'call_docs.plain' })
    const { tool_ref: toolRef, fingerprint } = invocation.toolcrib as {
      tool_ref: string
      fingerprint: string
    }
    expect(fingerprint).toMatch(/^sha256:/)
    expect(JSON.stringify(await resolve(toolRef))).toContain('Looks up plain.')
  })

  it('who allowed it, by which rule, and on which input', async () => {
    const { stories, resolve } = await storiesOf(['docs.plain'])
    const [decision] = stories[0]!.decisions
    expect(decision).toMatchObject({ behavior: 'allow', reason: { type: 'rule' } })
    expect(JSON.stringify(await resolve(decision!.rule_refs![0]!))).toContain('docs.*')
    const judged = decision!.toolcrib as { input_ref: string; input_digest: string }
    expect(judged.input_digest).toMatch(/^sha256:/)
    expect(await resolve(judged.input_ref)).toEqual({ q: 'locks' })
  })

  it.each([
    ['docs.plain', { status: 'succeeded', is_error: false, redaction_state: 'none' }, 0],
    ['docs.long', { status: 'succeeded', is_error: false }, 1],
    ['docs.secret', { is_error: true, error: { error_class: 'blocked_tool' } }, 0],
    [
      'docs.broken',
      { status: 'failed', is_error: true, error: { error_class: 'dependency_unavailable' } },
      0,
    ],
  ])(
    'whether the result of %s is the tool’s own, was changed, or never came',
    async (name, expected, hooks) => {
      const { stories, resolve } = await storiesOf([name])
      const [{ invocation, result, hooks: ran }] = stories as [CallStory]
      expect(result).toMatchObject(expected)
      expect(ran).toHaveLength(hooks)
      for (const ref of invocation.hook_refs ?? []) expect(await resolve(ref), ref).toBeDefined()
    },
  )
})
