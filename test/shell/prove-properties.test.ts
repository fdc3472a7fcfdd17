import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseCommand } from '../../src/shell/parse/parse-command.js'
import { prove } from '../../src/shell/proof/prove.js'
import { writtenCases } from './canary-cases.js'
import { cleanContext } from './clean-context.js'

const proofOf = (text: string) => prove(parseCommand(text), cleanContext)
const proven = writtenCases.filter((text) => proofOf(text).isReadOnly && !/#|<</.test(text))

const additions = [
  ' > made',
  ' >> made',
  ' 2> made',
  ' &> made',
  '; rm x',
  ' && rm x',
  ' || rm x',
  ' | rm x',
  ' & rm x',
  '\nrm x',
  ' $(rm x)',
  ' "$(rm x)"',
  ' `rm x`',
  ' <(rm x)',
  ' ${x:-$(rm x)}',
  ' $((a[$(rm x)]))',
  ' | sh',
  '; PATH=/tmp',
  '; f() { ls; }',
]

it('is not proven after a part that writes or runs is added', () => {
  fc.assert(
    fc.property(fc.constantFrom(...proven), fc.constantFrom(...additions), (text, addition) => {
      expect(proofOf(text + addition).isReadOnly).toBe(false)
    }),
    { seed: 1, numRuns: 2000 },
  )
})

it('is proven for several together if each is proven, and for none otherwise', () => {
  const some = fc.constantFrom(...writtenCases.filter((text) => !/#|<<|&$|\bcd\b/.test(text)))
  fc.assert(
    fc.property(some, some, (first, second) => {
      const both = proofOf(`${first}\n${second}`)
      expect(both.isReadOnly).toBe(proofOf(first).isReadOnly && proofOf(second).isReadOnly)
    }),
    { seed: 2, numRuns: 2000 },
  )
})

it('returns for every text, with a reason if it is not proven', () => {
  const piece = fc.constantFrom(
    ...`ls git -a -- $ ( ) { } [ ] " ' \` \\ ; | & < > = ! # * ~ x 1 \n`.split(' '),
    ' ',
    '\n',
  )
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(piece, { maxLength: 40 }).map((all) => all.join('')),
  )
  fc.assert(
    fc.property(text, (any) => {
      const proof = proofOf(any)
      expect(proof.reason === '').toBe(proof.isReadOnly)
      expect(proof.isOpenWorld && !proof.isReadOnly).toBe(false)
    }),
    { seed: 3, numRuns: 5000 },
  )
})
