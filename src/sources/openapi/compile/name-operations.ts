import { createHash } from 'node:crypto'

export interface UnnamedOperation {
  readonly operationId: string | undefined
  /** In upper case. */
  readonly method: string
  readonly path: string
}

/** By `METHOD /path`. */
export type KnownNames = Readonly<Record<string, string>>

const LEGAL = /^[A-Za-z0-9_-]{1,64}$/
const MAX_CHARS = 64
const HASH_CHARS = 8

/**
 * Names for the operations of a document, in its order: unique, and legal for every model API. An operation keeps the
 * name that it had before (`known`). Otherwise an operationId that is legal is the name; others and missing ones give a
 * readable name. One in another script than Latin is named after its method and path. Where two would have the same name,
 * the first keeps it and the other gets a suffix made from its method and path, so that no name depends on how many there
 * are.
 */
export function nameOperations(operations: readonly UnnamedOperation[], known: KnownNames = {}): string[] {
  const names: (string | undefined)[] = operations.map(() => undefined)
  const taken = new Set<string>()
  const take = (at: number, name: string): void => {
    names[at] = name
    taken.add(fold(name))
  }
  const isFree = (name: string): boolean => !taken.has(fold(name))
  const passes: ((operation: UnnamedOperation) => string | undefined)[] = [
    (operation) => knownName(known, operation), // a name does not move when another operation comes
    ({ operationId }) => (operationId !== undefined && LEGAL.test(operationId) ? operationId : undefined), // names that the document gives come before names made here
    (operation) => readableName(operation),
    (operation) => withHash(readableName(operation), keyOf(operation)),
  ]
  for (const nameFor of passes)
    operations.forEach((operation, at) => {
      if (names[at] !== undefined) return
      const name = nameFor(operation)
      if (name !== undefined && isFree(name)) take(at, name)
    })
  // Two operations with one method and path cannot come from one document; names are unique all the same.
  return names.map((name, at) => name ?? withHash('operation', `${at} ${keyOf(operations[at]!)}`))
}

export function keyOf({ method, path }: Pick<UnnamedOperation, 'method' | 'path'>): string {
  return `${method} ${path}`
}

/** Models and rules compare names without regard to case. */
const fold = (name: string): string => name.toLowerCase()

function knownName(known: KnownNames, operation: UnnamedOperation): string | undefined {
  const key = keyOf(operation)
  const name = Object.hasOwn(known, key) ? known[key] : undefined
  return name !== undefined && LEGAL.test(name) ? name : undefined
}

function readableName({ operationId = '', method, path }: UnnamedOperation): string {
  const isForeign = hasOtherScript(operationId)
  const own = isForeign ? '' : toWords(operationId)
  // An operationId in another script says less here than the path.
  const from = own === '' ? fromPath(method, path) : operationId
  const words = own === '' ? toWords(from) : own
  if (words === '') return withHash('operation', `${method} ${path}`)
  // Paths that differ only in letters of another script have the same words.
  if (own === '' && hasOtherScript(path))
    return withHash(words, isForeign ? operationId : keyOf({ method, path }))
  return words.length <= MAX_CHARS ? words : withHash(words, from)
}

/** Latin letters that Unicode does not take apart into a letter and an accent. */
const LATIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  ẞ: 'SS',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  þ: 'th',
  Þ: 'Th',
  ł: 'l',
  Ł: 'L',
  ħ: 'h',
  Ħ: 'H',
  ı: 'i',
}

/** Latin letters without their accents. */
function toPlainLatin(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll(/[ßẞæÆœŒøØđĐðÐþÞłŁħĦı]/g, (letter) => LATIN[letter]!)
}

/** Whether letters or digits are lost in `toWords`. */
export function hasOtherScript(text: string): boolean {
  return /(?![A-Za-z0-9])[\p{L}\p{N}]/u.test(toPlainLatin(text))
}

/** Letters without their accents, digits, and single underscores. */
export function toWords(text: string): string {
  return toPlainLatin(text)
    .replaceAll(/[^A-Za-z0-9_-]+/g, '_')
    .replaceAll(/_{2,}/g, '_')
    .replaceAll(/^[_-]+|[_-]+$/g, '')
}

const isOnlyOtherScript = (text: string): boolean => hasOtherScript(text) && toWords(text) === ''

/** `GET /pets/{id}/toys` is `get_pets_by_id_toys`. */
function fromPath(method: string, path: string): string {
  const parts = path
    .split('/')
    .filter((part) => part !== '')
    .map((part) =>
      part.replaceAll(
        /\{([^}]*)\}/g,
        (_, name: string) => `_${isOnlyOtherScript(name) ? '' : 'by'}_${name}_`,
      ),
    )
  return [method.toLowerCase(), ...(parts.length === 0 ? ['root'] : parts)].join('_')
}

function withHash(words: string, from: string): string {
  const hash = createHash('sha256').update(from).digest('hex').slice(0, HASH_CHARS)
  return `${words.slice(0, MAX_CHARS - HASH_CHARS - 1).replace(/[_-]+$/, '')}_${hash}`
}
