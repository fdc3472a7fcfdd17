import { nearestWord } from '../../../platform/config/nearest-word.js'
import type { OpenapiPreview, PreviewedOperation } from '../../../sources/openapi/preview.js'
import type { GivenOptions } from '../program/command.js'
import { usageProblem } from '../program/usage-problem.js'
import { askPerson } from '../terminal/ask-person.js'
import type { Terminal } from '../terminal/terminal.js'

/** Operations by their tags or by their names. */
export interface OperationFilter {
  readonly tags?: readonly string[]
  readonly operations?: readonly string[]
}

/** Which operations of a document become tools. Without `include`: all. */
export interface OperationChoice {
  readonly include?: OperationFilter
  readonly exclude?: OperationFilter
}

/** The operations of a choice, in the order of the document. */
export function chosenOperations(
  { operations }: OpenapiPreview,
  { include, exclude }: OperationChoice,
): PreviewedOperation[] {
  return operations.filter(
    (operation) =>
      (include === undefined || isIn(operation, include)) &&
      (exclude === undefined || !isIn(operation, exclude)),
  )
}

function isIn({ name, tags }: PreviewedOperation, filter: OperationFilter): boolean {
  return filter.operations?.includes(name) === true || filter.tags?.some((tag) => tags.includes(tag)) === true
}

/** Whether options say which operations to take. */
export function hasChoice(options: GivenOptions): boolean {
  return ['tags', 'operations', 'exclude'].some((name) => options[name] !== undefined)
}

/** The choice of --tags, --operations and --exclude. An unknown word ends the command. */
export function choiceOf(preview: OpenapiPreview, options: GivenOptions): OperationChoice {
  const ofTags = filterOrStop(preview, options['tags'], '--tags')
  const ofNames = filterOrStop(preview, options['operations'], '--operations')
  const exclude = filterOrStop(preview, options['exclude'], '--exclude')
  const include = { ...ofTags, ...ofNames }
  return {
    ...((ofTags || ofNames) && { include }),
    ...(exclude && { exclude }),
  }
}

type Flag = '--tags' | '--operations' | '--exclude'

function filterOrStop(preview: OpenapiPreview, given: unknown, flag: Flag): OperationFilter | undefined {
  if (typeof given !== 'string') return undefined
  const known = {
    ...preview,
    ...(flag === '--tags' && { operations: [] }),
    ...(flag === '--operations' && { tags: [] }),
  }
  const read = readWords(known, given)
  if (typeof read === 'string') throw usageProblem(`${flag}: ${read}`)
  return read
}

const MOST_WORDS = 12

/** Tags and operations, separated by commas; a sentence where a word is neither. */
function readWords(
  preview: Pick<OpenapiPreview, 'tags' | 'operations'>,
  given: string,
): OperationFilter | string {
  const words = given.split(',').flatMap((word) => word.trim() || [])
  if (words.length === 0) return 'name at least one, and put commas between several.'
  const tags: string[] = []
  const operations: string[] = []
  for (const word of words) {
    const operation = findOperation(preview.operations, word)
    const tag = findWord(
      preview.tags.map(({ name }) => name),
      word,
    )
    if (operation !== undefined) operations.push(operation)
    else if (tag !== undefined) tags.push(tag)
    else return unknownWord(preview, word)
  }
  return { ...(tags.length > 0 && { tags }), ...(operations.length > 0 && { operations }) }
}

/** By its name, its tool id, or its method and path. */
function findOperation(operations: readonly PreviewedOperation[], word: string): string | undefined {
  const named = findWord(
    operations.map(({ name }) => name),
    word,
  )
  if (named !== undefined) return named
  return operations.find(({ toolId, method, path }) => toolId === word || `${method} ${path}` === word)?.name
}

function findWord(names: readonly string[], word: string): string | undefined {
  const lower = word.toLowerCase()
  return names.includes(word) ? word : names.find((name) => name.toLowerCase() === lower)
}

function unknownWord(
  { tags, operations }: Pick<OpenapiPreview, 'tags' | 'operations'>,
  word: string,
): string {
  const [tagNames, names] = [tags.map(({ name }) => name), operations.map(({ name }) => name)]
  const what = names.length === 0 ? 'tag' : tagNames.length === 0 ? 'operation' : 'tag or operation'
  const near = nearestWord(word, [...tagNames, ...names])
  if (near !== undefined) return `the document has no ${what} "${word}"; did you mean "${near}"?`
  const known = tagNames.length > 0 ? tagNames : names
  if (known.length === 0) return `the document has no ${what}s.`
  const more = known.length > MOST_WORDS ? ', …' : ''
  return `the document has no ${what} "${word}"; it has ${known.slice(0, MOST_WORDS).join(', ')}${more}.`
}

/** Asks the person which operations to take; undefined where they take none. */
export async function askForChoice(
  preview: OpenapiPreview,
  terminal: Terminal,
): Promise<OperationChoice | undefined> {
  const question = `Take all ${preview.operations.length} operations? [all, none, or names and tags] `
  for (;;) {
    const answer = (await askPerson(question, { terminal }))?.trim()
    if (answer === undefined || /^(?:none|no?)$/i.test(answer)) return undefined
    if (/^(?:|all|y|yes)$/i.test(answer)) return {}
    const include = readWords(preview, answer)
    if (typeof include !== 'string') return { include }
    terminal.explain(`${include[0]!.toUpperCase()}${include.slice(1)}`)
  }
}
