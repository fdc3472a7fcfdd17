import { expect, test } from 'vitest'
import { createManagedConnection } from '../../../../src/sources/mcp/servers/managed-connection.js'
import { until } from '../../../until.js'
import { pretendConnection } from './pretend-connection.js'

test('a caller that waits for the old connection to end gets no new one once it is closed', async () => {
  let dials = 0
  let end = (): void => {}
  const ended = new Promise<void>((resolve) => (end = resolve))
  const line = createManagedConnection({
    timeoutMs: 5000,
    idleMs: 1,
    events: { dialing() {}, connected() {}, gone() {}, idle() {} },
    async dial(signal) {
      dials++
      const about = { name: 'slow', settings: {}, clientInfo: { name: 't', version: '1' }, signal }
      const connection = pretendConnection({ ...about, onNotification() {} }, () => ({}))
      return { ...connection, close: () => ended }
    },
  })
  await line.open()
  await until(() => line.connection === undefined, 'that it rests')
  const waiting = line.open().catch((error: Error) => error.message)
  const closed = line.close()
  end()
  expect(await waiting).toBe('The server was closed meanwhile.')
  await closed
  await expect(line.open()).rejects.toThrow('closed')
  expect(dials).toBe(1)
})
