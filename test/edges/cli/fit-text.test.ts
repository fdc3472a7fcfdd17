import { expect, it } from 'vitest'
import stringWidth from 'string-width'
import { cutText, fitText, padText, widthOf, wrapText } from '../../../src/edges/cli/terminal/fit-text.js'

it('a ref that is longer than a line gets a line of its own, unbroken', () => {
  const ref = `{"ref":"toolcrib://invocations/inv_${'0'.repeat(60)}/output"}.`
  expect(wrapText(`Read on with ${ref} It is long.`, 40)).toEqual(['Read on with', ref, 'It is long.'])
})

it('any other long word is split', () => {
  expect(wrapText(`a ${'x'.repeat(25)} b`, 10)).toEqual(['a', 'x'.repeat(10), 'x'.repeat(10), 'xxxxx b'])
})

it('pads, and never truncates, what must stay whole', () => {
  expect(padText('ab', 4)).toBe('ab  ')
  expect(padText('mcp.server.a_long_name', 4)).toBe('mcp.server.a_long_name')
})

it('counts a composed character once, and splits none', () => {
  const family = '👨‍👩‍👧'
  expect(['é', family, '🇩🇪', '漢', '✔️'].map(widthOf)).toEqual([1, 2, 2, 2, 2])
  expect(cutText(`${family}${family}${family}`, 5)).toBe(`${family}${family}…`)
  expect(fitText('漢字漢字', 5)).toBe('漢字…')
})

it('counts the signs of the command line as every terminal does', () => {
  for (const sign of '·–→…⊘✓✗') expect([sign, widthOf(sign)]).toEqual([sign, stringWidth(sign)])
  expect(widthOf('✓ done · 3 of 4…')).toBe(stringWidth('✓ done · 3 of 4…'))
})
