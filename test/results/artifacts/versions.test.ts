import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { z } from 'zod'
import { createCrib, defineTool, sqliteStore, toolOutput } from 'toolcrib'
import { openCrib } from '../../scenarios/open-crib.js'
import { endChildren, startChild } from '../../storage/run-child.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { allow, make, onBothBlobStores, wholeOf } from './make-artifacts.js'

afterEach(endChildren)

const adder = defineTool({
  name: 'add',
  description: 'Adds a version.',
  input: z.object({ to: z.string(), text: z.string() }),
  isReadOnly: true,
  isOpenWorld: false,
  isConcurrencySafe: true,
  execute: ({ to, text }) => toolOutput({ artifacts: [{ name: 'a.txt', artifact: to, content: text }] }),
})

onBothBlobStores('versions', (places) => {
  it('that are added at once are all recorded, each under its own number', async () => {
    const { crib, result } = await make(() => [{ name: 'a.txt', content: 'first' }], { options: places() })
    await crib.add([adder])
    const id = result.artifact_refs![0]!.ref_id!
    const surface = await crib.surface({ scope: 'turn' })
    const texts = Array.from({ length: 20 }, (_, index) => `text ${index}`)
    const results = await Promise.all(
      texts.map((text) => crib.call(surface, { name: 'add', input: { to: id, text } })),
    )
    expect(results.every(({ status }) => status === 'succeeded')).toBe(true)
    const { versions } = (await crib.artifact(id))!
    expect(versions.map(({ version }) => version)).toEqual(
      Array.from({ length: 21 }, (_, index) => index + 1),
    )
    const read = await Promise.all(versions.map(async ({ uri }) => String(await wholeOf(crib, uri))))
    expect(read.toSorted()).toEqual(['first', ...texts].toSorted())
    // Each result names the version with the output of its call.
    for (const [index, { artifact_refs: refs }] of results.entries())
      expect(String(await wholeOf(crib, refs![0]!.uri!))).toBe(texts[index])
  })

  it('of an artifact that was removed are rejected', async () => {
    const { crib, result } = await make(() => [{ name: 'a.txt', content: 'first' }], { options: places() })
    await crib.add([adder])
    const id = result.artifact_refs![0]!.ref_id!
    expect(await crib.removeArtifact(id)).toBe(true)
    const surface = await crib.surface({ scope: 'turn' })
    const refused = await crib.call(surface, { name: 'add', input: { to: id, text: 'more' } })
    expect(refused.error!.message).toContain(`it adds a version to ${id}, which was removed.`)
    expect((await crib.artifact(id))!.versions).toHaveLength(1)
  })
})

it('two processes that add versions at once lose none', async () => {
  const folder = temporaryFolder()
  const { crib, result } = await make(() => [{ name: 'a.txt', content: 'first' }], {
    options: { store: sqliteStore({ path: join(folder, 'crib.db') }) },
  })
  const id = result.artifact_refs![0]!.ref_id!
  const child = new URL('./children/add-versions.mjs', import.meta.url)
  const children = ['left', 'right'].map((mark) => startChild(child, [folder, id, '15', mark]))
  for (const each of children) await each.said('open')
  for (const each of children) each.say('go')
  const ended = await Promise.all(children.map(({ end }) => end))
  expect(ended.map(({ stdout }) => /added (\d+)/.exec(stdout)?.[1])).toEqual(['15', '15'])
  const { versions } = (await crib.artifact(id))!
  expect(versions.map(({ version }) => version)).toEqual(Array.from({ length: 31 }, (_, index) => index + 1))
  const read = await Promise.all(versions.map(async ({ uri }) => String(await wholeOf(crib, uri))))
  expect(new Set(read).size).toBe(31)
})

const kill = new URL('./children/make-until-killed.mjs', import.meta.url)
const plans = [1, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14].map((at) => ({
  on: 'write',
  at,
  when: at % 2 === 0 ? 'before' : 'after',
}))

async function killed(plan: object): Promise<boolean> {
  const folder = temporaryFolder()
  const { signal, stdout, stderr } = await startChild(kill, [folder, JSON.stringify(plan)]).end
  if (signal !== 'SIGKILL') expect(stderr).toBe('')
  const crib = await createCrib({ store: sqliteStore({ path: join(folder, 'crib.db') }), ...allow })
  try {
    const found = new Map<string, string>()
    for await (const { artifact_id: id, versions } of crib.artifacts()) {
      for (const { version, uri } of versions) {
        expect(uri).toBe(`toolcrib://artifacts/${id}/versions/${version}`)
        found.set(uri, String(await wholeOf(crib, uri)))
      }
    }
    expect([...found.values()].filter((text) => !/^(?:new|again) \d$/.test(text))).toEqual([])
    // Everything that a result named exists.
    const promised = stdout.match(/toolcrib:\/\/\S+/g) ?? []
    expect(promised.filter((uri) => !found.has(uri))).toEqual([])
  } finally {
    await crib.close()
  }
  return signal === 'SIGKILL'
}

it('a process that is killed at any write leaves whole artifacts or none', async () => {
  const outcomes: boolean[] = []
  for (let from = 0; from < plans.length; from += 2)
    outcomes.push(...(await Promise.all(plans.slice(from, from + 2).map(killed))))
  expect(outcomes.filter(Boolean).length).toBeGreaterThanOrEqual(8)
})

it('a crib that opens the same store later has them', async () => {
  const folder = temporaryFolder()
  const store = () => sqliteStore({ path: join(folder, 'crib.db') })
  const first = await createCrib({ store: store(), ...allow, tools: [adder] })
  const surface = await first.surface({ scope: 'turn' })
  await first.add([
    defineTool({
      name: 'make',
      description: 'Makes.',
      isReadOnly: true,
      isOpenWorld: false,
      execute: () => toolOutput({ artifacts: [{ name: 'a.txt', content: 'kept' }] }),
    }),
  ])
  const result = await first.call(surface, { name: 'make' })
  await first.close()
  const later = await openCrib({ store: store() })
  expect(String(await wholeOf(later, result.artifact_refs![0]!.uri!))).toBe('kept')
})
