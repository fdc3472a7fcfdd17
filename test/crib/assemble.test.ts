import { expect, it } from 'vitest'
import { assemble, type CribModule } from '../../src/crib/assemble.js'

function createModules() {
  const log: string[] = []
  const named = <Port extends object>(
    name: string,
    port: Port,
    more: Pick<CribModule, 'start' | 'stop'> = {},
  ) => ({
    port,
    api: { [name]: name },
    start: () => void log.push(`start ${name}`),
    stop: () => void log.push(`stop ${name}`),
    ...more,
  })
  return { log, named }
}

it('opens and starts modules in their order and stops them in the opposite order', async () => {
  const { log, named } = createModules()
  const { api, close } = await assemble({ size: 1 })
    .add(({ size }) => named('a', { double: size * 2 }))
    .add(async ({ double }) => named('b', { triple: double + 1 }))
    .add(({ size, double, triple }) => named('c', { sum: size + double + triple }))
    .add(({ sum }) => named(`sum ${sum}`, {}))
    .open()
  expect(api).toEqual({ a: 'a', b: 'b', c: 'c', 'sum 6': 'sum 6' })
  await close({ graceMs: 0 })
  const names = ['a', 'b', 'c', 'sum 6']
  expect(log).toEqual([
    ...names.map((name) => `start ${name}`),
    ...names.toReversed().map((name) => `stop ${name}`),
  ])
})

it('stops the open modules when a later one cannot be opened or started, and throws that failure', async () => {
  const { log, named } = createModules()
  const broken = (): never => {
    throw new Error('no room')
  }
  await expect(
    assemble({})
      .add(() => named('a', {}))
      .add(broken)
      .add(() => named('never opened', {}))
      .open(),
  ).rejects.toThrow('no room')
  expect(log).toEqual(['stop a'])
  await expect(
    assemble({})
      .add(() => named('b', {}))
      .add(() => named('c', {}, { start: broken }))
      .open(),
  ).rejects.toThrow('no room')
  expect(log).toEqual(['stop a', 'start b', 'stop c', 'stop b'])
})

it('stops every module when one of them fails to stop, once, and throws the first failure', async () => {
  const { log, named } = createModules()
  const fail = async (): Promise<never> => {
    throw new Error('still busy')
  }
  const { close } = await assemble({})
    .add(() => named('a', {}))
    .add(() => named('b', {}, { stop: fail }))
    .add(() => named('c', {}))
    .open()
  const closing = close({ graceMs: 0 })
  expect(close({ graceMs: 0 })).toBe(closing)
  await expect(closing).rejects.toThrow('still busy')
  expect(log).toEqual(['start a', 'start b', 'start c', 'stop c', 'stop a'])
})

it('notifies modules that it closes before the first of them stops', async () => {
  const seen: unknown[] = []
  const { close } = await assemble({})
    .add(({ closing, checkOpen }) => ({
      start: () => seen.push(closing.aborted, checkOpen()),
      stop() {
        seen.push(closing.aborted)
        expect(checkOpen).toThrow('The crib is closed')
      },
    }))
    .open()
  await close({ graceMs: 0 })
  expect(seen).toEqual([false, undefined, true])
})
