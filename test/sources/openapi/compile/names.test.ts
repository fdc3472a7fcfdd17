import { describe, expect, it } from 'vitest'
import { nameOperations, type KnownNames } from '../../../../src/sources/openapi/compile/name-operations.js'
import { compile } from './compile.js'

type Named = readonly [key: string, operationId?: string]

function namesOf(operations: readonly Named[], known?: KnownNames): string[] {
  const list = operations.map(([key, operationId]) => {
    const [method = '', ...path] = key.split(' ')
    return { method, path: path.join(' '), operationId }
  })
  return nameOperations(list, known)
}

describe('the name of an operation', () => {
  it.each([
    ['GET /pets', 'listPets', 'listPets'],
    ['GET /pets', 'list-pets_2', 'list-pets_2'],
    ['GET /pets', 'pets/list all', 'pets_list_all'],
    ['GET /pets', 'Pets.List', 'Pets_List'],
    ['GET /pets', 'créer une bête', 'creer_une_bete'],
    ['GET /pets', 'Straße_søk', 'Strasse_sok'],
    ['GET /pets', '  ', 'get_pets'],
    ['GET /pets', '获取宠物', 'get_pets'],
    ['GET /pets/{id}', 'получить_pet', 'get_pets_by_id'],
    ['GET /Größe/{länge}', undefined, 'get_Grosse_by_lange'],
    ['GET /pets', undefined, 'get_pets'],
    ['GET /', undefined, 'get_root'],
    ['DELETE /pets/{petId}/toys/{toyId}', undefined, 'delete_pets_by_petId_toys_by_toyId'],
    ['GET /files/{name}.{extension}', undefined, 'get_files_by_name_by_extension'],
    ['GET /a/{x}{y}', undefined, 'get_a_by_x_by_y'],
    ['POST /v1/users:search', undefined, 'post_v1_users_search'],
    ['COPY /things', undefined, 'copy_things'],
  ])('of %s with the operationId %j is %s', (key, operationId, name) => {
    expect(namesOf([[key, operationId]])).toEqual([name])
  })

  it.each([
    ['GET /заказы/{номер}', 'получитьЗаказ', /^get_[0-9a-f]{8}$/],
    ['POST /shop/заказы/{id}', 'изменитьЗаказ', /^post_shop_by_id_[0-9a-f]{8}$/],
    ['GET /宠物', undefined, /^get_[0-9a-f]{8}$/],
  ])('of %s with the operationId %j has the Latin words of the path and a hash', (key, operationId, name) => {
    const [alone] = namesOf([[key, operationId]])
    expect(alone).toMatch(name)
    const others: Named[] = [
      ['GET /клиенты/{номер}', 'получитьКлиента'],
      ['POST /shop/товары/{id}', 'изменитьТовар'],
      ['GET /鸟'],
    ]
    expect(namesOf([...others, [key, operationId]])[3]).toBe(alone)
  })

  it.each([
    ['GET /宠物', '宠物'],
    ['GET /pets', 'x'.repeat(200)],
    [`GET /${'long/'.repeat(40)}`, undefined],
    ['GET /pets', '!'.repeat(5)],
  ])('of %s with the operationId %j is legal and always the same', (key, operationId) => {
    const [name] = namesOf([[key, operationId]])
    expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
    expect(namesOf([['GET /other'], [key, operationId]])[1]).toBe(name)
  })

  it('that is too long ends with a hash of the whole', () => {
    const [one, other] = namesOf([
      ['GET /a', `${'x'.repeat(70)}One`],
      ['GET /b', `${'x'.repeat(70)}Other`],
    ])
    expect(one).toMatch(/^x{55}_[0-9a-f]{8}$/)
    expect(other).not.toBe(one)
  })
})

describe('operations with the same name', () => {
  const list: Named[] = [
    ['GET /cats', 'list'],
    ['GET /dogs', 'list'],
    ['GET /birds', 'LIST'],
  ]

  it('the first keeps it, the others get a suffix of their own', () => {
    const [cats, dogs, birds] = namesOf(list)
    expect(cats).toBe('list')
    expect(dogs).toMatch(/^list_[0-9a-f]{8}$/)
    expect(birds).toMatch(/^LIST_[0-9a-f]{8}$/)
    expect(namesOf([...list.slice(0, 2), ['GET /fish', 'list'], list[2]!])[1]).toBe(dogs)
    expect(namesOf([list[0]!, list[2]!, list[1]!])[2]).toBe(dogs)
  })

  it('a name of the document comes before one made here', () => {
    expect(namesOf([['GET /pets'], ['POST /x', 'get_pets']])).toEqual([
      expect.stringMatching(/^get_pets_[0-9a-f]{8}$/),
      'get_pets',
    ])
  })

  it('each get a unique name', () => {
    const names = namesOf(Array.from({ length: 300 }, (_, at): Named => [`GET /p${at}`, 'same']))
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(300)
  })
})

describe('names that were known before', () => {
  it('are not given to new operations', () => {
    const known = { 'GET /cats': 'list', 'GET /dogs': 'list_dogs' }
    expect(
      namesOf(
        [
          ['GET /ants', 'list'],
          ['GET /cats', 'listCats'],
          ['GET /dogs', 'list'],
        ],
        known,
      ),
    ).toEqual([expect.stringMatching(/^list_[0-9a-f]{8}$/), 'list', 'list_dogs'])
  })

  it('that are illegal, or known twice, are not used again', () => {
    const known = { 'GET /a': 'not a name', 'GET /b': 'twice', 'GET /c': 'twice', 'GET /d': '' }
    expect(
      namesOf(
        [
          ['GET /a', 'a'],
          ['GET /b', 'b'],
          ['GET /c', 'c'],
          ['GET /d', 'd'],
        ],
        known,
      ),
    ).toEqual(['a', 'twice', 'c', 'd'])
  })

  it('come from no prototype', () => {
    expect(
      namesOf([
        ['constructor', 'a'],
        ['__proto__', 'b'],
      ]),
    ).toEqual(['a', 'b'])
  })
})

describe('what the compiler says about names', () => {
  it('counts operations without an operationId, and names those that share one', async () => {
    const { operations, problems } = await compile({
      openapi: '3.0.0',
      paths: {
        '/a': { get: {}, post: {} },
        '/b': { get: { operationId: 'x' }, post: { operationId: 'x' }, put: { operationId: 7 } },
      },
    })
    expect(operations.map(({ name }) => name)).toContain('7')
    expect(problems).toEqual([
      { at: '/paths', message: expect.stringContaining('2 operations have no operationId') },
      { at: '/paths/~1b/post', message: expect.stringContaining('POST /b') },
    ])
  })

  it('speaks of one operation without an operationId as of one', async () => {
    const { problems } = await compile({ openapi: '3.0.0', paths: { '/a': { get: {} } } })
    expect(problems.map(({ message }) => message)).toContain(
      'one operation has no operationId; it is named after method and path',
    )
  })
})
