const EXPRESSION = /\{([+#./;?&]?)[^{}]*\}/g
const MAX_TEMPLATE_CHARS = 1000
const MAX_EXPRESSIONS = 32
const MAX_URI_CHARS = 4096
const MAX_COMPILED = 1000

/** What an expression can stand for: nothing, or else its first character and then any but some. */
interface Gap {
  readonly first: string
  readonly without: string
}

/** What each kind of expression of RFC 6570 can stand for, generously: the server has the last word. */
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
 * Whether a template could have made this address. Servers write templates and clients write addresses, so it takes no
 * longer than one look at every character for each part: a regular expression could be made to take for ever.
 */
export function matchesTemplate(uri: string, template: unknown): boolean {
  if (typeof template !== 'string' || template.length > MAX_TEMPLATE_CHARS || uri.length > MAX_URI_CHARS)
    return false
  const parts = partsOf(template)
  if (parts === undefined) return false
  // Where in the address one may be after the parts so far.
  let connections = new Uint8Array(uri.length + 1)
  connections[0] = 1
  for (const part of parts)
    connections =
      typeof part === 'string' ? afterText(uri, connections, part) : afterGap(uri, connections, part)
  return connections[uri.length] === 1
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

function afterText(uri: string, connections: Uint8Array, text: string): Uint8Array<ArrayBuffer> {
  const next = new Uint8Array(connections.length)
  for (let at = connections.indexOf(1); at !== -1; at = connections.indexOf(1, at + 1))
    if (uri.startsWith(text, at)) next[at + text.length] = 1
  return next
}

function afterGap(uri: string, connections: Uint8Array, { first, without }: Gap): Uint8Array<ArrayBuffer> {
  const next = new Uint8Array(connections)
  let isInside = false
  for (let at = 0; at <= uri.length; at += 1) {
    if (first === '' && connections[at] === 1) isInside = true
    if (isInside) next[at] = 1
    if (at === uri.length) break
    const character = uri[at]!
    if (without.includes(character)) isInside = false
    if (character === first && connections[at] === 1) isInside = true
  }
  return next
}
