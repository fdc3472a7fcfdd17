import type { ContentKind } from './content-kind.js'
import { headOf } from './cuts/safe-cut.js'
import { sayCount, sayNumber } from './cuts/say-number.js'
import type { PreviewBody, PreviewBudget } from './preview-body.js'
import { drawers } from './kinds/drawers.js'
import { sayBinary } from './kinds/say-binary.js'
import type { Sample } from './samples/sample.js'
import { createMeter, type Meter } from './sizes/create-meter.js'

export interface Preview {
  text: string
  kind: ContentKind
  /** What was omitted, in numbers. */
  omitted: { chars: number; lines: number; items?: number }
  isWhole: boolean
}

export interface PreviewOptions {
  kind: ContentKind
  limits: { maxChars: number; maxLines?: number; maxTokens?: number }
  /** How to read the whole: a sentence below the preview, counted in the limit. */
  howToRead?: string
  /** Without it each byte counts as a token, which is never too few. */
  countTokens?: (text: string, upTo?: number) => number
}

const forms: readonly FooterForm[] = ['full', 'short', 'tiny']
const FOOTER_SHARE = 0.6
const ROUNDS = 8
// A first estimate, which the tokenizer corrects.
const CHARS_PER_TOKEN = 4

/** A preview of a text for an agent, never above the limits, with what was omitted and how to read it. */
export function previewOf(sample: Sample, options: PreviewOptions): Preview {
  const meter = createMeter(options.limits, options.countTokens)
  if (options.kind === 'binary') return previewBinary(sample, options, meter)
  if (sample.isWhole && meter.fits(sample.head))
    return { text: sample.head, kind: options.kind, omitted: { chars: 0, lines: 0 }, isWhole: true }
  const draw = drawers[options.kind](sample)
  for (const form of forms) {
    const preview = fit(sample, { options, meter, draw, form })
    if (preview !== undefined) return preview
  }
  return cutHead(sample, options.kind, meter)
}

interface Fitting {
  options: PreviewOptions
  meter: Meter
  draw: (room: PreviewBudget) => PreviewBody
  form: FooterForm
}

/** Draws smaller until it fits. `undefined` when the footer alone is too long. */
function fit(sample: Sample, { options, meter, draw, form }: Fitting): Preview | undefined {
  const { howToRead, kind } = options
  const footerOf = (drawn: PreviewBody): string => sayFooter(sample, { drawn, howToRead, form })
  const nothing: PreviewBody = { body: '', leftOut: '', omitted: { chars: 0, lines: 0 } }
  const least = footerOf(nothing)
  if (least.length > meter.maxChars * FOOTER_SHARE || meter.maxLines < 3) return undefined
  const tokensOfFooter = meter.tokens(least)
  if (tokensOfFooter > meter.maxTokens * FOOTER_SHARE) return undefined

  const room: PreviewBudget = {
    chars: Math.min(meter.maxChars - least.length - 1, (meter.maxTokens - tokensOfFooter) * CHARS_PER_TOKEN),
    lines: meter.maxLines - 1,
  }
  for (let round = 0; round < ROUNDS && room.chars > 0; round++) {
    const drawn = draw({ chars: Math.floor(room.chars), lines: room.lines })
    const text = join(drawn.body, footerOf(drawn))
    if (meter.fits(text)) return { text, kind, omitted: drawn.omitted, isWhole: false }
    const excess = meter.excess(text)
    room.chars -= Math.max(excess.chars, room.chars * (1 - excess.tokenShare), 1)
    room.lines -= excess.lines
  }
  return undefined
}

function join(body: string, footer: string): string {
  if (body === '') return footer
  return body.endsWith('\n') ? `${body}${footer}` : `${body}\n${footer}`
}

function previewBinary(sample: Sample, { kind, howToRead }: PreviewOptions, meter: Meter): Preview {
  const omitted = { chars: sample.chars, lines: sample.lines }
  const sentences = [sayBinary(sample, howToRead), sayBinary(sample, undefined)]
  const text = sentences.find((sentence) => meter.fits(sentence)) ?? ''
  return { text, kind, omitted, isWhole: false }
}

/** Where there is no space for the footer, only the beginning. */
function cutHead(sample: Sample, kind: ContentKind, meter: Meter): Preview {
  const text = meter.longestFit((chars) => headOf(sample.head, chars), sample.head.length)
  const lines = text === '' ? sample.lines : Math.max(0, sample.lines - text.split('\n').length)
  return { text, kind, omitted: { chars: sample.chars - text.length, lines }, isWhole: false }
}

type FooterForm = 'full' | 'short' | 'tiny'

/** The sentences below a preview: the size of the whole, what was omitted, how to read it. */
function sayFooter(
  { bytes, lines }: Sample,
  { drawn, howToRead, form }: { drawn: PreviewBody; howToRead: string | undefined; form: FooterForm },
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
