import { expect, it } from 'vitest'
import { defineTool } from 'toolcrib'
import { onBothStores, openCrib } from '../scenarios/open-crib.js'

onBothStores('a very long timeout', (newStore) => {
  it.each([Number.POSITIVE_INFINITY, 2 ** 31, Number.MAX_SAFE_INTEGER])(
    '%s ms does not time out at once',
    async (timeoutMs) => {
      const crib = await openCrib({
        store: newStore(),
        tools: [
          defineTool({
            name: 'slow',
            description: 'Takes a while.',
            isReadOnly: true,
            isOpenWorld: false,
            timeoutMs,
            execute: () => new Promise((resolve) => setTimeout(() => resolve('done'), 50)),
          }),
        ],
      })
      const result = await crib.call(await crib.surface({ scope: 'turn' }), { name: 'slow' })
      expect(result.status).toBe('succeeded')
    },
  )
})
