import { sayCount, sayNumber } from './cuts/say-number.js'
import type { Drawn } from './drawn.js'
import type { Sample } from './samples/sample.js'

export type FooterForm = 'full' | 'short' | 'tiny'

/** The sentences below a preview: how big the whole is, what was left out, how to get it. */
export function sayFooter(
  { bytes, lines }: Sample,
  { drawn, howToRead, form }: { drawn: Drawn; howToRead: string | undefined; form: FooterForm },
): string {
  const how = howToRead === undefined || howToRead === '' ? '' : ` ${howToRead.replace(/\s*\n\s*/g, ' ')}`
  switch (form) {
    case 'full': {
      const whole = drawn.whole === undefined ? '' : `: ${drawn.whole}`
      const left = drawn.leftOut === '' ? '' : `; left out here: ${drawn.leftOut}`
      return `[The output has ${sayNumber(bytes)} bytes in ${sayCount(lines, 'line')}${whole}${left}.${how}]`
    }
    case 'short':
      return `[Cut; the whole has ${sayNumber(bytes)} bytes.${how}]`
    case 'tiny':
      return `[cut: ${sayNumber(bytes)} bytes]`
    default:
      return form satisfies never
  }
}
