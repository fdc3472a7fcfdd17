import fc from 'fast-check'
import { parse } from 'unbash'
import { describe, expect, test } from 'vitest'
import { MEANINGFUL, ONE_SPACE, signsIn } from '../../src/shell/parse/signs-in.js'
import { splitPlain } from '../../src/shell/parse/split-plain.js'

const printable = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at))
const plainChars = printable.filter((char) => (signsIn(char) & MEANINGFUL) === 0)

const split = (text: string) => splitPlain(text, Math.floor(signsIn(text) / ONE_SPACE))

/** The parser's result for a text, if it is one command of only literal words. */
function parsedWords(text: string): string[] | undefined {
  const { commands, errors } = parse(text)
  const command = commands[0]?.command
  if ((errors?.length ?? 0) > 0 || commands.length !== 1 || commands[0]!.background) return undefined
  if (command?.type !== 'Command' || command.name === undefined || command.prefix.length > 0) return undefined
  const words = [command.name.text]
  for (const each of command.suffix) {
    if (each.type !== 'Word' || each.value !== each.text || each.parts !== undefined) return undefined
    words.push(each.text)
  }
  return words
}

const oddWords = fc.constantFrom(
  ...`if then else elif fi do done case esac while until for select function in time coproc local alias export declare
  typeset readonly let eval exec env set unset test . : - -- -p + += = a= =a a=b a+=b a.b=c --a=b 2 2=3 @ ^ % ,`.split(
    /\s+/,
  ),
)
const words = fc.array(
  fc.oneof(oddWords, fc.string({ unit: fc.constantFrom(...plainChars), minLength: 1, maxLength: 6 })),
  { minLength: 1, maxLength: 6 },
)

describe('a text that is split without the parser', () => {
  test('is split as the parser would split it', () => {
    fc.assert(
      fc.property(words, fc.constantFrom(' ', ' ', ' ', '  '), (given, space) => {
        const text = given.join(space)
        const found = split(text)
        if (found !== undefined) {
          expect(found).toEqual(parsedWords(text))
          expect(found.join(' ')).toBe(text)
        }
      }),
      { numRuns: 5000, seed: 20 },
    )
  })

  test('has no special character', () => {
    expect(plainChars.join('')).toBe(
      ' %+,-./0123456789:=@ABCDEFGHIJKLMNOPQRSTUVWXYZ^_abcdefghijklmnopqrstuvwxyz',
    )
    for (const char of ['\t', '\n', '\r', '\u0000', '\u00A0', 'é'])
      expect(signsIn(char) & MEANINGFUL).not.toBe(0)
  })

  test.each([
    '',
    ' ',
    ' ls',
    'ls ',
    'ls  -a',
    'A=1 ls',
    'A=1',
    'time ls',
    'export A=1',
    'if ls',
    'coproc ls',
  ])('is not used for texts that need a grammar: %j', (text) => expect(split(text)).toBeUndefined())

  test.each(['ls', 'git log --format=%h', 'env A=1 ls', 'curl http://localhost:80/a@b'])('%s', (text) =>
    expect(split(text)).toEqual(text.split(' ')),
  )
})
