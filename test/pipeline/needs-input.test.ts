import { describe, expect, it } from 'vitest'
import {
  createCrib,
  defineHook,
  defineTool,
  memoryStore,
  partialResult,
  toolFailure,
  type CribOptions,
  type InputAnswer,
} from 'toolcrib'
import { createGate } from '../scenarios/open-crib.js'

// Not closed after a failure: a call that never ends would make `close` wait too.
const openCrib = (options: CribOptions) => createCrib({ store: memoryStore(), ...options })

const quiet = { isReadOnly: true, isOpenWorld: false } as const

describe('a tool that requests input and does not wait for the answer', { timeout: 15_000 }, () => {
  it('still ends with one result', async () => {
    const answer = createGate<InputAnswer>()
    const crib = await openCrib({
      responder: () => answer.promise,
      tools: [
        defineTool({
          name: 'impatient',
          description: 'Does not wait.',
          ...quiet,
          async execute(_input, { requestInput }) {
            void requestInput({ message: 'anyone?' })
            return 'done'
          },
        }),
      ],
    })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 'impatient' })
    await expect(call).resolves.toMatchObject({ status: 'succeeded' })
    answer.open({ action: 'cancel' })
    await crib.close()
  })

  it('is visible to post hooks', async () => {
    const answer = createGate<InputAnswer>()
    const crib = await openCrib({
      responder: () => answer.promise,
      hooks: [defineHook({ id: 'after', event: 'post_tool_use', run: () => ({}) })],
      tools: [
        defineTool({
          name: 'impatient',
          description: 'Does not wait.',
          ...quiet,
          async execute(_input, { requestInput }) {
            void requestInput({ message: 'anyone?' })
            return 'done'
          },
        }),
      ],
    })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 'impatient' })
    await expect(call).resolves.toMatchObject({ status: 'succeeded' })
    answer.open({ action: 'cancel' })
    await crib.close()
  })

  it('may fail with a class that blocks', async () => {
    const answer = createGate<InputAnswer>()
    const crib = await openCrib({
      responder: () => answer.promise,
      tools: [
        defineTool({
          name: 'impatient',
          description: 'Does not wait.',
          ...quiet,
          async execute(_input, { requestInput }) {
            void requestInput({ message: 'anyone?' })
            throw toolFailure('rate_limited', 'slow down')
          },
        }),
      ],
    })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 'impatient' })
    await expect(call).resolves.toMatchObject({ error: { error_class: 'rate_limited' } })
    answer.open({ action: 'cancel' })
    await crib.close()
  })

  it('may request two inputs at once', async () => {
    const crib = await openCrib({
      responder: async ({ message }) => ({ action: 'accept', content: message }),
      tools: [
        defineTool({
          name: 'curious',
          description: 'Asks two things.',
          ...quiet,
          async execute(_input, { requestInput }) {
            return Promise.all([requestInput({ message: 'a' }), requestInput({ message: 'b' })])
          },
        }),
      ],
    })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 'curious' })
    await expect(call).resolves.toMatchObject({
      status: 'succeeded',
      structured_content: [
        { action: 'accept', content: 'a' },
        { action: 'accept', content: 'b' },
      ],
    })
    await crib.close()
  })

  it('may return a partial result while it waits', async () => {
    const answer = createGate<InputAnswer>()
    const crib = await openCrib({
      responder: () => answer.promise,
      tools: [
        defineTool({
          name: 'busy',
          description: 'Goes on meanwhile.',
          ...quiet,
          async *execute(_input, { requestInput }) {
            const asked = requestInput({ message: 'anyone?' })
            yield partialResult('a part')
            answer.open({ action: 'decline' })
            await asked
            return 'done'
          },
        }),
      ],
    })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 'busy' })
    await expect(call).resolves.toMatchObject({ status: 'succeeded' })
    await crib.close()
  })
})
