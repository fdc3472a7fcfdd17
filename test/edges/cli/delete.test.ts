import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hasScript, onTerminal } from './on-terminal.js'
import { collect, createPlace, fixtures, root, untilPrinted, workshop, type Place } from './run-cli.js'

async function placeWithCalls(count: number, config = `tools: ['${workshop}', '${fixtures}']\nactor: ada`) {
  const place = createPlace(config)
  for (let index = 0; index < count; index++) await place.run(['call', 'text.count', `text=number ${index}`])
  const ids = (await place.run(['log', '--json'])).stdout
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { invocation_id: string }).invocation_id)
  return { place, ids }
}

describe('toolcrib delete', () => {
  it('counts, deletes, and "show" says who deleted the record and when', async () => {
    const { place, ids } = await placeWithCalls(2)
    const dry = await place.run(['delete', '--actor', 'ada', '--dry-run'])
    expect(dry).toMatchObject({ code: 0, stdout: 'The records of 2 calls would be deleted.\n' })
    const refused = await place.run(['delete', '--actor', 'ada'])
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain('nothing was deleted')
    expect((await place.run(['log', '--json'])).stdout.trim().split('\n')).toHaveLength(2)

    const done = await place.run(['delete', '--actor', 'ada', '--reason', 'she asked', '--yes', '--json'])
    expect(done.code).toBe(0)
    expect(JSON.parse(done.stdout)).toMatchObject({ deleted: 2, skipped_open: 0 })
    expect((await place.run(['log', '--json'])).stdout).toBe('')
    const shown = await place.run(['show', ids[0]!])
    expect(shown.code).toBe(0)
    expect(shown.stdout).toMatch(
      new RegExp(`^The record of ${ids[0]} was deleted on \\d{4}-.*Z by person:.* \\(she asked\\)\\.$`, 'm'),
    )
    expect(shown.stdout).toMatch(/sha256 [0-9a-f]{64}/)
    const json = JSON.parse((await place.run(['show', ids[1]!.slice(4, 20), '--json'])).stdout) as object
    expect(json).toMatchObject({ deleted_record: { invocation_id: ids[1], by: expect.any(String) } })
    const read = await place.run(['progress', ids[0]!])
    expect(read).toMatchObject({ code: 2, stderr: expect.stringContaining('was deleted on') })
    expect((await place.run(['log', '--events'])).stdout).toContain(
      'the records of 2 calls were deleted by person:',
    )
  })

  it('deletes envelopes by the time of the deletion, and then nothing is known of the call', async () => {
    const { place, ids } = await placeWithCalls(1)
    const old = oldCall(place, 'default', 'deleted')
    await place.run(['delete', '--actor', 'ada', '--yes'])
    const envelopes = ['delete', '--envelopes', '--before', '1d']
    const dry = await place.run([...envelopes, '--dry-run'])
    expect(dry).toMatchObject({ code: 0, stdout: 'The envelopes of 1 call would be deleted.\n' })
    expect(await place.run(envelopes)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('nothing was deleted'),
    })
    const done = await place.run([...envelopes, '--reason', 'long ago', '--yes', '--json'])
    expect(JSON.parse(done.stdout)).toEqual({ deletion_id: expect.stringMatching(/^del_/), deleted: 1 })
    expect((await place.run(['show', old])).stderr).toContain('There is no call')
    expect((await place.run(['show', ids[0]!])).stdout).toContain('was deleted on')
    expect((await place.run(['log', '--events'])).stdout).toContain(
      'the envelopes of 1 call were deleted by person:',
    )
    expect((await place.run([...envelopes, '--yes'])).stdout).toBe('Deleted the envelopes of 0 calls.\n')
  })

  it.each([
    [[], 'Say which records to delete'],
    [['--envelopes'], 'by the time of the deletion alone'],
    [['--envelopes', '--actor', 'ada', '--before', '1d'], 'by the time of the deletion alone'],
    [['--envelopes', '--session', 's'], 'by the time of the deletion alone'],
    [['--before', 'soon'], '--before takes an age'],
  ])('refuses %j', async (more, problem) => {
    const place = createPlace()
    const { code, stderr } = await place.run(['delete', ...more])
    expect(code).toBe(2)
    expect(stderr).toContain(problem)
  })

  it('is no command for a tool: a record must not be deleted by what it is about', async () => {
    const { place } = await placeWithCalls(1)
    const env = { TOOLCRIB_INVOCATION: 'inv_1' }
    const { code, stderr } = await place.run(['delete', '--actor', 'ada', '--yes'], { env })
    expect(code).toBe(2)
    expect(stderr).toContain('inside a tool call')
  })

  it.runIf(hasScript)('asks the person at the terminal first', async () => {
    const { place, ids } = await placeWithCalls(1)
    const question = /Delete the records of 1 call for good\?/
    const no = await onTerminal(place, 'delete --actor ada', { typed: [[question, 'n\r']] })
    expect(no.code).toBe(1)
    expect(no.text).toContain('Nothing was deleted.')
    expect((await place.run(['show', ids[0]!, '--json'])).stdout).toContain('"invocation"')
    const yes = await onTerminal(place, 'delete --actor ada', { typed: [[question, 'y\r']] })
    expect(yes.code).toBe(0)
    expect((await place.run(['show', ids[0]!])).stdout).toContain('was deleted on')
  })
})

/** A call of three days ago, which was perhaps deleted then. */
function oldCall(place: Place, tenant = 'default', ...deleted: 'deleted'[]): string {
  const script = join(root, 'test/edges/cli/record-calls.mjs')
  return execFileSync(process.execPath, [script, place.storeFile, '1', '3', tenant, ...deleted], {
    encoding: 'utf8',
  }).trim()
}

describe('retention', () => {
  const config = (days: number): string => `tools: ['${workshop}']\nretention: { calls: { days: ${days} } }`

  it('is applied by a gateway when it starts, in all tenants, and by no other command', async () => {
    const place = createPlace(config(2))
    const ids = [oldCall(place), oldCall(place, 'acme')]
    await place.run(['call', 'text.count', 'text=young'])
    expect((await place.run(['log', '--json'])).stdout.trim().split('\n')).toHaveLength(2)
    const gateway = place.start(['serve', '--port', '0'])
    const ended = collect(gateway)
    await Promise.all([
      untilPrinted(gateway, /Deleted the records of 2 calls that began over 2 days ago\./),
      untilPrinted(gateway, /http:\/\/127\.0\.0\.1:\d+/),
    ])
    gateway.kill('SIGTERM')
    await ended
    expect((await place.run(['show', ids[0]!])).stdout).toContain('by toolcrib.retention (older than 2 days)')
    expect((await place.run(['log', '--json'])).stdout.trim().split('\n')).toHaveLength(1)
  })

  it('is applied to envelopes, by the time of the deletion, also alone', async () => {
    const place = createPlace(`tools: ['${workshop}']\nretention: { envelopes: { days: 2 } }`)
    const deleted = oldCall(place, 'default', 'deleted')
    oldCall(place, 'acme', 'deleted')
    const call = oldCall(place)
    const gateway = place.start(['serve', '--port', '0'])
    const ended = collect(gateway)
    await Promise.all([
      untilPrinted(gateway, /Deleted the envelopes of 2 calls that were deleted over 2 days ago\./),
      untilPrinted(gateway, /http:\/\/127\.0\.0\.1:\d+/),
    ])
    gateway.kill('SIGTERM')
    await ended
    expect((await place.run(['show', call, '--json'])).stdout).toContain('"invocation"')
    expect((await place.run(['show', deleted])).stderr).toContain('There is no call')
  })

  it('deletes nothing where the gateway cannot listen, because its port is in use', async () => {
    const place = createPlace(config(2))
    const id = oldCall(place)
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const refused = await place.run(['serve', '--port', String(port)])
    other.close()
    expect(refused.stderr).toContain(`Port ${port} on 127.0.0.1 is in use`)
    expect(refused.stderr).not.toContain('Deleted')
    expect((await place.run(['show', id, '--json'])).stdout).toContain('"invocation"')
  })

  it('deletes nothing that is younger, and nothing while the config is not trusted', async () => {
    for (const [days, isTrusted] of [
      [30, true],
      [1, false],
    ] as const) {
      const place = createPlace(config(days), { isTrusted })
      const id = oldCall(place)
      const gateway = place.start(['serve', '--port', '0'])
      const ended = collect(gateway)
      await untilPrinted(gateway, /http:\/\/127\.0\.0\.1:\d+/)
      gateway.kill('SIGTERM')
      await ended
      expect((await place.run(['show', id, '--json'])).stdout).toContain('"invocation"')
    }
  })

  it.each([
    'retention: { calls: { days: 0 } }',
    'retention: { calls: {} }',
    'retention: { call: { days: 1 } }',
    'retention: { envelopes: { days: 0 } }',
    'retention: { envelopes: {} }',
  ])('the config %s is refused', async (text) => {
    const place = createPlace(text)
    expect((await place.run(['log'])).code).toBe(2)
  })
})
