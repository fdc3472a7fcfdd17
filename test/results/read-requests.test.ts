import { describe, expect, it } from 'vitest'
import type { Crib } from 'toolcrib'
import { give, giver, numbered } from './give.js'
import { openCrib } from '../scenarios/open-crib.js'

describe('crib.read', () => {
  const read = (crib: Crib, ref: unknown, request?: unknown, options?: object) =>
    crib.read(ref as string, request as never, options)

  it('takes the ref of a result, and the object that holds it', async () => {
    const { crib, ref, result } = await give(() => numbered(5000))
    const request = { by: 'lines', from: 3, count: 1 } as const
    expect(await crib.read(result.persisted_payload_ref!, request)).toEqual(await crib.read(ref, request))
  })

  it.each<[unknown, RegExp]>([
    [{ by: 'line' }, /"by" must be one of lines, bytes, pointer, search, not "line"/],
    [{}, /"by" must be one of lines, bytes, pointer, search, not nothing/],
    ['lines', /takes a request such as \{ by: 'lines'/],
    [null, /takes a request such as/],
    [{ by: 'search', regex: 'x' }, /has no option "regex"; did you mean "isRegex"/],
    [{ by: 'search' }, /by search needs "text"/],
    [{ by: 'search', text: 7 }, /"text" must be a text/],
    [{ by: 'lines', line: 4 }, /has no option "line"; it takes by, from, count/],
    [{ by: 'bytes', from: 4 }, /has no option "from"; it takes by, offset, length/],
    [{ by: 'lines', count: -2 }, /"count" must be at least 1, not -2/],
    [{ by: 'lines', from: 0 }, /"from" counts from 1/],
    [{ by: 'lines', from: 1.5 }, /"from" must be a whole number/],
    [{ by: 'bytes', length: 0 }, /"length" must be at least 1/],
    [{ by: 'bytes', offset: '7' }, /"offset" must be a number, not the text "7"/],
    [{ by: 'pointer' }, /by pointer needs "pointer"/],
    [{ by: 'pointer', pointer: '', from: -1 }, /"from" must be at least 0/],
    [{ by: 'search', text: 'x', limit: 1000 }, /"limit" must be at most 200/],
  ])('refuses the request %o with a sentence', async (request, sentence) => {
    const { crib, ref } = await give(() => numbered(5000))
    const refused = await read(crib, ref, request).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(TypeError)
    expect((refused as Error).message).toMatch(sentence)
  })

  it('rejects an invalid ref, and unknown options', async () => {
    const { crib, ref } = await give(() => numbered(5000))
    for (const none of [undefined, null, 7, 'inv_1', {}, { uri: 7 }])
      await expect(read(crib, none)).rejects.toThrow(/^crib\.read takes a ref such as toolcrib:\/\//)
    await expect(read(crib, ref, undefined, { chars: 3 })).rejects.toThrow(/has no option "chars"/)
  })

  it('returns a page that says what the payload does not have', async () => {
    const { crib, ref } = await give(() => numbered(5000))
    expect(await crib.read(ref, { by: 'lines', from: 99_999 })).toMatchObject({ kind: 'problem' })
  })
})

it('an executor may destructure hide from its context', async () => {
  const crib = await openCrib({
    tools: [
      giver(() => 1, {
        execute: (_: unknown, { hide }: { hide(secret: string): void }) => {
          hide('the-word-nobody-knows')
          return 'it is the-word-nobody-knows'
        },
      }),
    ],
  })
  const result = await crib.call(await crib.surface({ scope: 'turn' }), { name: 'give' })
  expect(JSON.stringify(result)).not.toContain('nobody-knows')
})
