import { join } from 'node:path'
import { expect, it } from 'vitest'
import { askEngine } from 'toolcrib'
import { loadCedarEngine } from '../../src/policy/engines/load-cedar-engine.js'
import { openTemporaryFolder } from '../temporary-folder.js'
import { engineRequest } from './requests.js'
import { engineVersion } from '../crib/records/version-of.js'

const allow = 'permit (principal in Role::"staff", action, resource);\n'
const schema = `entity Role in [Role]; entity Actor in [Role]; entity Namespace; entity Tool in [Namespace];
action call appliesTo { principal: Actor, resource: Tool };`
const entities = [{ uid: { type: 'Role', id: 'writer' }, parents: [{ type: 'Role', id: 'staff' }] }]

function folderWith(files: Readonly<Record<string, string>>): string {
  const { path, write } = openTemporaryFolder()
  for (const [name, text] of Object.entries(files)) write(name, text)
  return path
}

it('reads policies, entities and a schema from files', async () => {
  const folder = folderWith({
    'policies/allow.cedar': allow,
    'policies/deny.cedar': '@id("never") forbid (principal == Actor::"x", action, resource);',
    'entities.json': JSON.stringify(entities),
    'tools.cedarschema': schema,
  })
  const loaded = await loadCedarEngine({
    policies: ['policies/*.cedar'],
    entities: 'entities.json',
    schema: 'tools.cedarschema',
    folder,
  })
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems))
  expect(askEngine(loaded.engine, engineRequest())).toMatchObject({
    behavior: 'allow',
    policy_refs: [engineVersion('cedar'), engineVersion('cedar', 'policies/allow.cedar')],
  })
  expect(askEngine(loaded.engine, engineRequest({ actor: 'x' }))).toMatchObject({
    behavior: 'deny',
    policy_refs: [engineVersion('cedar'), engineVersion('cedar', 'never')],
  })
  await loaded.engine.close!()
})

it('reports every problem with its file and, if known, its line', async () => {
  const folder = folderWith({
    'a.cedar': `${allow}permit (principal);`,
    'b.cedar': 'permit (principal, action, resource) when { resource.x };',
    'entities.json': '[{]',
    'no-list.json': '{}',
    'wrong.json': '[{"uid": 7}]',
    'tools.cedarschema': schema,
  })
  const problemsOf = async (files: Omit<Parameters<typeof loadCedarEngine>[0], 'folder'>) => {
    const loaded = await loadCedarEngine({ ...files, folder })
    return loaded.ok ? [] : loaded.problems
  }
  expect(await problemsOf({ policies: ['a.cedar'] })).toMatchObject([
    { file: join(folder, 'a.cedar'), line: 2 },
  ])
  expect(await problemsOf({ policies: ['b.cedar'], schema: 'tools.cedarschema' })).toMatchObject([
    { file: join(folder, 'b.cedar'), line: 1 },
  ])
  expect(await problemsOf({ policies: ['none/*.cedar'], entities: 'none.json' })).toEqual([
    { file: join(folder, 'none/*.cedar'), message: 'there is no such policy file' },
    { file: join(folder, 'none.json'), message: 'there is no such file' },
  ])
  expect(await problemsOf({ policies: ['b.cedar'], entities: 'entities.json' })).toMatchObject([
    { file: join(folder, 'entities.json'), message: expect.stringContaining('it is not JSON') as string },
  ])
  expect(await problemsOf({ policies: ['b.cedar'], entities: 'no-list.json' })).toMatchObject([
    { file: join(folder, 'no-list.json'), message: 'it must hold a list of entities' },
  ])
  expect(await problemsOf({ policies: ['b.cedar'], entities: 'wrong.json' })).toMatchObject([
    { file: join(folder, 'wrong.json') },
  ])
})
