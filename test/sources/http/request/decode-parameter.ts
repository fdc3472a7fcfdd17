import type { CompiledParameter } from '../../../../src/sources/http/http-operation.js'

/** What a server finds in the place of a parameter: a text, texts, or texts by name. */
export type Decoded = string | string[] | Record<string, string> | undefined

export type Shape = 'text' | 'list' | 'object'

const DELIMITERS: Readonly<Record<string, string>> = {
  spaceDelimited: '%20',
  pipeDelimited: '%7C',
  tabDelimited: '%09',
}

/** Reads one parameter back from where it was sent. Written apart from the serializer, after the specification alone. */
export function decodeParameter(parameter: CompiledParameter, shape: Shape, sent: string): Decoded {
  switch (parameter.in) {
    case 'path':
      return decodePath(parameter, shape, sent)
    case 'header':
      return decodeDelimited(shape, sent, {
        delimiter: ',',
        isExploded: parameter.explode,
        decode: (text) => text,
      })
    case 'cookie':
      return decodePairs(parameter, shape, sent.split('; '))
    case 'query':
    case 'querystring':
      return decodePairs(parameter, shape, sent === '' ? [] : sent.split('&'))
  }
}

function decodePath({ name, style, explode }: CompiledParameter, shape: Shape, sent: string): Decoded {
  if (style === 'label') {
    const delimiter = explode ? '.' : ','
    return decodeDelimited(shape, sent.slice(1), { delimiter, isExploded: explode, decode: percentDecode })
  }
  if (style !== 'matrix')
    return decodeDelimited(shape, sent, { delimiter: ',', isExploded: explode, decode: percentDecode })
  const pairs = sent.split(';').slice(1).map(splitPair)
  if (shape === 'object' && explode)
    return toObject(pairs.map(([key, text]) => [percentDecode(key), percentDecode(text)]))
  if (shape === 'list' && explode) return pairs.map(([, text]) => percentDecode(text))
  if (pairs[0]?.[0] !== percentEncodeAll(name)) throw new Error('The name is another one.')
  return decodeDelimited(shape, pairs[0][1], { delimiter: ',', isExploded: false, decode: percentDecode })
}

function decodePairs(
  { name, style, explode }: CompiledParameter,
  shape: Shape,
  sent: readonly string[],
): Decoded {
  const decode = style === 'cookie' ? (text: string): string => text : percentDecode
  const pairs = sent.map(splitPair)
  if (style === 'deepObject')
    return toObject(
      pairs.map(([key, text]) => {
        const full = decode(key)
        if (!full.startsWith(`${name}[`) || !full.endsWith(']')) throw new Error('The name is another one.')
        return [full.slice(name.length + 1, -1), decode(text)]
      }),
    )
  if (shape === 'object' && explode) return toObject(pairs.map(([key, text]) => [decode(key), decode(text)]))
  if (pairs.some(([key]) => decode(key) !== name)) throw new Error('The name is another one.')
  if (shape === 'list' && explode) return pairs.map(([, text]) => decode(text))
  const [, text] = pairs[0] ?? ['', '']
  return decodeDelimited(shape, text, { delimiter: DELIMITERS[style] ?? ',', isExploded: false, decode })
}

interface Delimited {
  readonly delimiter: string
  readonly isExploded: boolean
  readonly decode: (text: string) => string
}

function decodeDelimited(shape: Shape, sent: string, { delimiter, isExploded, decode }: Delimited): Decoded {
  if (shape === 'text') return decode(sent)
  const parts = sent.split(delimiter)
  if (shape === 'list') return parts.map(decode)
  if (isExploded) return toObject(parts.map(splitPair).map(([key, text]) => [decode(key), decode(text)]))
  const pairs = parts.flatMap((part, at) => (at % 2 === 0 ? [[part, parts[at + 1] ?? ''] as const] : []))
  return toObject(pairs.map(([key, text]) => [decode(key), decode(text)]))
}

function splitPair(pair: string): [string, string] {
  const mark = pair.indexOf('=')
  return mark === -1 ? [pair, ''] : [pair.slice(0, mark), pair.slice(mark + 1)]
}

function toObject(pairs: readonly (readonly [string, string])[]): Record<string, string> {
  return Object.fromEntries(pairs)
}

/** Byte by byte, and strict: every character of a URL must be allowed there. */
export function percentDecode(text: string): string {
  if (!/^(?:[A-Za-z0-9\-._~:/?@!$&'()*+,;=]|%[0-9A-F]{2})*$/.test(text)) throw new Error(`No URL: ${text}`)
  const bytes: number[] = []
  for (let at = 0; at < text.length; at++) {
    if (text[at] !== '%') bytes.push(text.charCodeAt(at))
    else {
      bytes.push(Number.parseInt(text.slice(at + 1, at + 3), 16))
      at += 2
    }
  }
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes))
}

function percentEncodeAll(text: string): string {
  return [...Buffer.from(text)]
    .map((byte) =>
      /[\w.~-]/.test(String.fromCharCode(byte))
        ? String.fromCharCode(byte)
        : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
    )
    .join('')
}
