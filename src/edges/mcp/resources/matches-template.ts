const EXPRESSION = /\{([+#./;?&]?)[^{}]*\}/g
const MAX_TEMPLATE_CHARS = 1000
const MAX_EXPRESSIONS = 32
const MAX_URI_CHARS = 4096
const MAX_COMPILED = 1000

/** What an expression matches: nothing, or its first character and then any characters except some. */
interface Gap {
  readonly first: string
  readonly without: string
}

/** What each kind of expression of RFC 6570 matches. It may match too much: the server checks the URI itself. */
const GAPS: Readonly<Record<string, Gap>> = {
  '': { first: '', without: '/?#' },
  '+': { first: '', without: '' },
  '#': { first: '#', without: '' },
  '.': { first: '.', without: '/?#' },
  '/': { first: '/', without: '?#' },
  ';': { first: ';', without: '/?#' },
  '?': { first: '?', without: '#' },
  '&': { first: '&', without: '#' },
}

type Part = string | Gap

const compiled = new Map<string, readonly Part[] | undefined>()

/**
 * Whether a template could have produced this URI. Neither can be trusted, so the time is bounded by the length of the
 * URI times the number of parts; a regular expression could take exponential time.
 */
export function matchesTemplate(uri: string, template: unknown): boolean {
  if (typeof template !== 'string' || template.length > MAX_TEMPLATE_CHARS || uri.length > MAX_URI_CHARS)
    return false
  const parts = partsOf(template)
  if (parts === undefined) return false
  // The positions in the URI that the parts so far can reach.
  let positions = new Uint8Array(uri.length + 1)
  positions[0] = 1
  for (const part of parts)
    positions = typeof part === 'string' ? afterText(uri, positions, part) : afterGap(uri, positions, part)
  return positions[uri.length] === 1
}

function partsOf(template: string): readonly Part[] | undefined {
  if (compiled.has(template)) return compiled.get(template)
  if (compiled.size >= MAX_COMPILED) compiled.clear()
  const parts: Part[] = []
  let from = 0
  let expressions = 0
  for (const { index, 0: expression, 1: kind = '' } of template.matchAll(EXPRESSION)) {
    if (index > from) parts.push(template.slice(from, index))
    parts.push(GAPS[kind]!)
    from = index + expression.length
    expressions += 1
  }
  if (from < template.length) parts.push(template.slice(from))
  const usable = expressions <= MAX_EXPRESSIONS ? parts : undefined
  compiled.set(template, usable)
  return usable
}

function afterText(uri: string, positions: Uint8Array, text: string): Uint8Array<ArrayBuffer> {
  const next = new Uint8Array(positions.length)
  for (let at = positions.indexOf(1); at !== -1; at = positions.indexOf(1, at + 1))
    if (uri.startsWith(text, at)) next[at + text.length] = 1
  return next
}

function afterGap(uri: string, positions: Uint8Array, { first, without }: Gap): Uint8Array<ArrayBuffer> {
  const next = new Uint8Array(positions)
  let isInside = false
  for (let at = 0; at <= uri.length; at += 1) {
    if (first === '' && positions[at] === 1) isInside = true
    if (isInside) next[at] = 1
    if (at === uri.length) break
    const character = uri[at]!
    if (without.includes(character)) isInside = false
    if (character === first && positions[at] === 1) isInside = true
  }
  return next
}
