import { expect, it, vi } from 'vitest'
import { askEngine, cedarEngine } from 'toolcrib'
import { engineRequest } from './requests.js'

vi.mock('@cedar-policy/cedar-wasm/nodejs', () => {
  throw new Error('Cannot find package')
})

it('without Cedar’s package, the denial says what to install', async () => {
  const engine = cedarEngine({ policies: 'permit (principal, action, resource);' })
  for (const _ of [1, 2]) {
    expect(await askEngine(engine, engineRequest(), { timeoutMs: 20_000 })).toMatchObject({
      behavior: 'deny',
      reason: {
        message:
          'The policy engine "cedar" failed (it needs the package @cedar-policy/cedar-wasm; install it with: npm install @cedar-policy/cedar-wasm), so the call is denied.',
      },
    })
  }
})
