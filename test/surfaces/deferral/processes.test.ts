import { afterEach, expect, it } from 'vitest'
import { defineTool, sqliteStore } from 'toolcrib'
import { openCrib, temporaryStorePath } from '../../scenarios/open-crib.js'
import { endChildren, startChild } from '../../storage/run-child.js'
import { idsOf } from './make-tools.js'

const script = new URL('children/load-tools.mjs', import.meta.url)
const names = ['base', ...Array.from({ length: 12 }, (_, index) => `t${index}`)]

afterEach(endChildren)

it('processes that load at once, and are then killed, lose nothing of each other', async () => {
  const path = temporaryStorePath()
  const ends = await Promise.all(
    [0, 1, 2].map((mine) => {
      const loads = names.slice(1).filter((_, index) => index % 3 === mine)
      return startChild(script, [JSON.stringify({ path, names, loads })]).end
    }),
  )
  expect(ends.map(({ signal, stderr }) => [signal, stderr])).toEqual(ends.map(() => ['SIGKILL', '']))
  const crib = await openCrib({
    store: sqliteStore({ path }),
    tools: names.map((name) => defineTool({ name, description: `The tool ${name}.`, execute: () => name })),
  })
  const deferral = { budgetTokens: 1, always: ['base'] }
  const surface = await crib.surface({ scope: 'session', session: 'shared', deferral })
  expect(idsOf(surface).toSorted()).toEqual(names.map((name) => `local.${name}`).toSorted())
  // Each of them has seen its own loads in their order, as in the final list.
  for (const { stdout } of ends) {
    const list = JSON.parse(stdout) as string[]
    expect(list[0]).toBe('local.base')
    expect(surface.tools().map(({ toolId }) => toolId)).toEqual(expect.arrayContaining(list))
  }
})
