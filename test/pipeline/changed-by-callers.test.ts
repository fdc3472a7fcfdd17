import { expect, it } from 'vitest'
import { defineTool, toolFailure, toolOutput } from 'toolcrib'
import { onBothStores, openCrib } from '../scenarios/open-crib.js'

/** Tries to change an object with everything in it. */
function spoil(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const [key, member] of Object.entries(value)) {
    spoil(member)
    Reflect.set(value, key, 'spoiled')
  }
  Reflect.set(value, 'added', 'spoiled')
}

onBothStores('a caller that changes its result', (newStore) => {
  const native = { source: 'example', request_id: 'r-1', _meta: { trace: ['m-1'] } }
  it.each<[string, () => unknown, object?]>([
    ['a text', () => 'a text'],
    ['an object', () => ({ list: [{ deep: true }] })],
    ['facts of a protocol', () => toolOutput({ content: [{ type: 'text', text: 'a' }], native })],
    [
      'blocks and refs',
      () =>
        toolOutput({
          content: [{ type: 'image', data: 'aGk=', annotations: { audience: ['user'] } }],
          resourceRefs: [{ uri: 'https://example.com/a', of: { a: [1] } }],
        }),
    ],
    [
      'a failure',
      () => {
        throw toolFailure('rate_limited', 'Later.', { retryAfter: 1 })
      },
    ],
    [
      'the exit code of a command',
      () => ({ exit_code: 1, stdout: '', stderr: '' }),
      { command: 'command', exitCode: 'exit_code' },
    ],
  ])('changes no record: %s', async (_name, execute, more) => {
    const crib = await openCrib({
      store: newStore(),
      tools: [
        defineTool({
          name: 'give',
          description: 'Gives.',
          isReadOnly: true,
          isOpenWorld: false,
          input: { jsonSchema: { type: 'object' } },
          ...more,
          execute,
        }),
      ],
    })
    const input = { command: 'grep a b.txt', list: [1, { a: 'b' }] }
    const call = crib.call(await crib.surface({ scope: 'turn' }), {
      name: 'give',
      input,
      nativeCallId: 'c-1',
    })
    spoil(input)
    const result = await call
    const given = JSON.stringify(result)
    spoil(result)
    expect(JSON.stringify(await crib.result(call.invocationId))).toBe(given)
    expect(JSON.stringify(await crib.story(call.invocationId))).not.toContain('spoiled')
  })
})
