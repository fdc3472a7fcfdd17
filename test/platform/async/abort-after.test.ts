import { once } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { abortAfter } from '../../../src/platform/async/abort-after.js'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

it('aborts after its time, also when memory is collected before', async () => {
  const other = new AbortController()
  const aborted = listen(abortAfter(300, other.signal))
  await sleep(20)
  collectGarbage()
  const end = new AbortController()
  const stillOpen = sleep(5_000, 'never', { signal: end.signal })
  expect(await Promise.race([aborted, stillOpen])).toBe('TimeoutError')
  end.abort()
  await stillOpen.catch(() => {})
})

it('aborts with the other signal, for the same reason', async () => {
  const other = new AbortController()
  const signal = abortAfter(60_000, other.signal)
  other.abort(new Error('enough'))
  expect(signal.reason).toEqual(new Error('enough'))
})

it('needs no other signal', async () => {
  expect(await listen(abortAfter(5))).toBe('TimeoutError')
})

/** Its own function: nothing else may hold the signal. */
async function listen(signal: AbortSignal): Promise<string> {
  const [event] = (await once(signal, 'abort')) as [Event]
  return ((event.target as AbortSignal).reason as Error).name
}
