import { afterEach, expect, it } from 'vitest'
import { createCrib, defineHook, defineTool, memoryStore, type Crib, type CribOptions } from 'toolcrib'

const SECRET = 'violet-harbour-nineteen'
const INPUT = { command: `curl -H 'X: ${SECRET}' https://a.example/x`, times: 1 }

const cribs: Crib[] = []
afterEach(async () => {
  for (const crib of cribs.splice(0)) await crib.close()
})

async function open(options: CribOptions): Promise<{ crib: Crib; ran: unknown[] }> {
  const ran: unknown[] = []
  const tool = defineTool({
    namespace: 't',
    name: 'run',
    description: 'Runs it.',
    execute: (input) => {
      ran.push(input)
      return 'done'
    },
  })
  const crib = await createCrib({
    store: memoryStore(),
    tools: [tool],
    redaction: { secrets: [SECRET], environment: false },
    ...options,
  })
  cribs.push(crib)
  return { crib, ran }
}

const ask = () => ({ behavior: 'ask' as const })

it('a reviewer’s edit keeps the secret where its mask was left, and is refused where that is ambiguous', async () => {
  const { crib, ran } = await open({ decider: ask, reviewers: ['ann'] })
  const call = crib.call(await crib.surface({ scope: 'session' }), { name: 't.run', input: INPUT })
  const { approval_id: id, input } = (await call.pending())!
  expect(input).toEqual({ command: "curl -H 'X: [redacted]' https://a.example/x", times: 1 })
  const answer = (command: string) =>
    crib.approvals.answer(id, { approved: true, by: 'ann', input: { command, times: 2 } })
  expect(await answer('wget [redacted]')).toMatchObject({
    ok: false,
    error: {
      error_class: 'input_mutation_failed',
      error_code: 'toolcrib.mask_in_input',
      message:
        'The input at "command" holds a mask, and the text around it was changed; leave that text as it is shown, or write out what stands there.',
    },
  })
  expect(ran).toEqual([])
  expect(await answer("curl -H 'X: [redacted]' https://b.example/y")).toMatchObject({ ok: true })
  expect((await call).status).toBe('succeeded')
  expect(ran).toEqual([{ command: `curl -H 'X: ${SECRET}' https://b.example/y`, times: 2 }])
  const story = (await crib.story(call.invocationId))!
  expect(JSON.stringify(story)).not.toContain(SECRET)
  expect(story.invocation.call_input).toEqual({
    command: "curl -H 'X: [redacted]' https://b.example/y",
    times: 2,
  })
})

it('an approver in the process may edit the shown input, or the original input', async () => {
  for (const part of ['shownInput', 'input'] as const) {
    const { crib, ran } = await open({
      decider: ask,
      approver: (request) => ({
        approved: true,
        updatedInput: { ...(request[part] as typeof INPUT), times: 3 },
      }),
    })
    const result = await crib.call(await crib.surface({ scope: 'session' }), { name: 't.run', input: INPUT })
    expect(result.status).toBe('succeeded')
    expect(ran).toEqual([{ ...INPUT, times: 3 }])
  }
})

it('neither a hook nor a decider puts a mask into a call', async () => {
  const shown = { command: "curl -H 'X: [redacted]' https://a.example/x", times: 9 }
  const rewrite = (updatedInput: unknown) =>
    defineHook({ id: 'h', event: 'pre_tool_use', run: () => ({ updatedInput }) })
  const allow = () => ({ behavior: 'allow' as const })
  for (const options of [
    { decider: allow, hooks: [rewrite(shown)] },
    { decider: () => ({ behavior: 'allow' as const, updated_input: shown }) },
  ]) {
    const { crib, ran } = await open(options)
    const result = await crib.call(await crib.surface({ scope: 'session' }), { name: 't.run', input: INPUT })
    expect(result.status).toBe('succeeded')
    expect(ran[0]).toEqual({ ...INPUT, times: 9 })
  }
  for (const options of [
    { decider: allow, hooks: [rewrite({ command: 'say [redacted]' })] },
    { decider: () => ({ behavior: 'allow' as const, updated_input: { command: 'say [redacted]' } }) },
  ]) {
    const { crib, ran } = await open(options)
    const { error } = await crib.call(await crib.surface({ scope: 'session' }), {
      name: 't.run',
      input: INPUT,
    })
    expect(error).toMatchObject({
      error_class: 'input_mutation_failed',
      error_code: 'toolcrib.mask_in_input',
    })
    expect(ran).toEqual([])
  }
})

it('a change of rules that contains a secret is neither offered nor accepted', async () => {
  const { crib } = await open({ permission: {} })
  await expect(
    crib.policy.update({
      type: 'add_rules',
      destination: 'session',
      behavior: 'allow',
      rules: [`t.run(command: ${SECRET})`],
    } as never),
  ).rejects.toThrow('looks like a secret')
})
