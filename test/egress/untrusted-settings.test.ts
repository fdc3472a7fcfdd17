import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { httpClassifier, httpEngine } from '../../src/index.js'
import type { HookCall } from '../../src/judgement/hooks/hook.js'
import { loadHooks } from '../../src/runtime/load-hooks.js'

let hits = 0
const server = createServer((_, response) => {
  hits++
  response.end('{}')
})
beforeAll(() => new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening)))
afterAll(() => new Promise((closed) => server.close(closed)))
const here = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`

const call = { event: 'pre_tool_use', signal: AbortSignal.timeout(5000), hide() {}, report() {} } as unknown
const askHook = (more: object, isTrusted: boolean): Promise<unknown> => {
  const { hooks } = loadHooks(
    [{ id: 'a', event: 'pre_tool_use', url: here(), ...more }],
    '/p/toolcrib.yaml',
    isTrusted,
  )
  return Promise.resolve(hooks[0]!.run(call as HookCall)).then(
    () => 'answered',
    (error: Error) => error.message,
  )
}

it('a hook of a config that nobody trusts reaches nothing inside and gets no variables', async () => {
  expect(await askHook({}, false)).toBe('its address belongs to this machine')
  expect(await askHook({ headers: { authorization: 'Bearer ${HOME}' } }, false)).toBe(
    'it needs the variable HOME, and the config that names it is not trusted',
  )
  expect(hits).toBe(0)
  expect(await askHook({ headers: { 'x-home': '${HOME}' } }, true)).toBe('answered')
  expect(hits).toBe(1)
})

it('neither does an engine or a classifier of such a config', async () => {
  const before = hits
  const signal = AbortSignal.timeout(5000)
  const engine = httpEngine({ url: here(), isUntrusted: true })
  await expect(engine.decide({} as never, signal)).rejects.toThrow('its address belongs to this machine')
  const classifier = httpClassifier({ id: 'c', url: here(), isUntrusted: true })
  await expect(classifier.classify({} as never, signal)).rejects.toThrow(
    'its address belongs to this machine',
  )
  expect(hits).toBe(before)
})
