import { shortPath } from '../../../../platform/config/describe-problem.js'
import { errorMessage } from '../../../../platform/text/error-message.js'
import { ownCommand, sameCommand, shellWord } from '../../../../platform/text/own-command.js'
import { oneLine, printable } from '../../../../platform/text/printable.js'
import type {
  OpenapiPreview,
  OpenapiPreviewOptions,
  PreviewedOperation,
  PreviewOpenapi,
} from '../../../../sources/openapi/preview.js'
import {
  askForChoice,
  choiceOf,
  chosenOperations,
  hasChoice,
  type OperationChoice,
  type OperationFilter,
} from '../../openapi/choose-operations.js'
import {
  documentInConfig,
  documentLocation,
  entryNameFor,
  entryNameOfTitle,
  shownDocument,
  type DocumentLocation,
} from '../../openapi/document-location.js'
import { firstCall } from '../../openapi/first-call.js'
import { countSentence, previewLines } from '../../openapi/preview-lines.js'
import type { ExitCode, Given, GivenOptions, RunCommand } from '../../program/command.js'
import { usageProblem } from '../../program/usage-problem.js'
import {
  changeEntriesFile,
  entriesFile,
  isReady,
  refuseTakenName,
  type EntriesFile,
} from '../../servers/entries-file.js'
import type { Terminal } from '../../terminal/terminal.js'

/** The key of the kind in the config. */
const KEY = 'openapi'

/** An entry of the config. */
interface OpenapiEntry {
  readonly document: string
  readonly server?: string
  readonly include?: readonly string[]
  readonly exclude?: readonly string[]
}

/** Adds one API to the config: shows what its document describes, asks which operations to take, and writes the entry. */
export function addOpenapi(preview: PreviewOpenapi): RunCommand {
  return async ({ arguments: [given = ''], options }: Given, terminal: Terminal): Promise<ExitCode> => {
    const isJson = options.json === true
    const asks = options['yes'] !== true && options['dryRun'] !== true
    if (isJson && asks)
      throw usageProblem('With --json nothing is asked: say --yes to write the entry, or --dry-run to look.')
    const place = documentLocation(given)
    const file = await entriesFile(options)
    const named = givenName(place, options)
    if (named !== undefined) refuseTakenName(file, named)
    const server = serverOf(options)
    const nameFor = (title: string | undefined): string => named ?? entryNameOfTitle(title)
    const found = await load(preview, place, { nameFor, server, terminal })
    const { name } = found
    refuseTakenName(file, name)
    const stated = choiceOf(found, options)
    const shown = chosenOrStop(found, stated)
    if (!isJson) printPreview(found, shown, terminal)
    if (asks && !terminal.isInteractive) throw unanswered(found, options)
    const choice = asks && !hasChoice(options) ? await askForChoice(found, terminal) : stated
    if (!choice) {
      terminal.say('Nothing was changed.')
      return 1
    }
    const chosen = chosenOrStop(found, choice)
    if (!isJson && chosen.length !== shown.length) terminal.explain(`${countSentence(found, chosen)}.`)
    const entry: OpenapiEntry = {
      document: documentInConfig(place, file.path),
      ...serverIn(found, { server, asks }),
      ...patternsOf(choice),
    }
    return write({ name, entry, chosen, preview: found }, { file, options, terminal })
  }
}

/** The choice as the config writes it. */
function patternsOf({ include, exclude }: OperationChoice): Pick<OpenapiEntry, 'include' | 'exclude'> {
  return {
    ...(include && { include: toPatterns(include) }),
    ...(exclude && { exclude: toPatterns(exclude) }),
  }
}

function toPatterns({ tags = [], operations = [] }: OperationFilter): string[] {
  return [...tags.map((tag) => `tag:${tag}`), ...operations]
}

/** Undefined where only the title of the document can say it. */
function givenName(place: DocumentLocation, options: GivenOptions): string | undefined {
  const name = typeof options['name'] === 'string' ? options['name'] : entryNameFor(place)
  if (name === undefined || /^[A-Za-z0-9_][\w-]{0,63}$/.test(name)) return name
  throw usageProblem(
    `The name of an API has up to 64 letters, digits, dashes and underscores, not "${name}"; it is a part of the ids of its tools.`,
  )
}

function serverOf({ server }: GivenOptions): string | undefined {
  if (typeof server !== 'string') return undefined
  if (/^https?:\/\//i.test(server) && URL.canParse(server)) return server
  throw usageProblem(`--server takes an address that begins with http:// or https://, not "${server}".`)
}

async function load(
  preview: PreviewOpenapi,
  place: DocumentLocation,
  { nameFor, server, terminal }: OpenapiPreviewOptions & { readonly terminal: Terminal },
): Promise<OpenapiPreview> {
  terminal.showStatus('reading the document')
  let found: OpenapiPreview
  try {
    found = await preview(place.at, { nameFor, server })
  } catch (error) {
    throw usageProblem(`${shownDocument(place)} cannot be added: ${asClause(error)}.${hintFor(place)}`)
  } finally {
    terminal.showStatus(undefined)
  }
  if (found.operations.length > 0) return found
  throw usageProblem(`${shownDocument(place)} describes no operations, so there is nothing to add.`)
}

function asClause(error: unknown): string {
  return oneLine(errorMessage(error)).replace(/\.$/, '')
}

/** Addresses of pages that show a document, which people copy from their browser. */
const VIEWER =
  /\/(?:swagger(?:-ui)?|redoc|docs?|api-docs|reference|explorer|ui)(?:\/(?:index\.html)?)?$|\.html?$/i

function hintFor({ at, isFile }: DocumentLocation): string {
  if (isFile) return ''
  const { pathname, hash } = new URL(at)
  if (pathname === '/')
    return ' Give the address of the document itself, often /openapi.json or /v3/api-docs.'
  if (!VIEWER.test(pathname) && !hash.startsWith('#/')) return ''
  return ' The address looks like that of a page for people: look there for a link to openapi.json, openapi.yaml or swagger.json, and give that.'
}

function chosenOrStop(preview: OpenapiPreview, choice: OperationChoice): PreviewedOperation[] {
  const chosen = chosenOperations(preview, choice)
  if (chosen.length > 0) return chosen
  throw usageProblem('No operation is left with that choice; take away an --exclude, or name other tags.')
}

function printPreview(
  preview: OpenapiPreview,
  chosen: readonly PreviewedOperation[],
  terminal: Terminal,
): void {
  const { style, isShown } = terminal
  const columns = isShown ? terminal.columns : Infinity
  for (const line of previewLines(preview, { chosen, style, columns })) terminal.print(line)
}

/** Without a terminal to ask at: names the flags that answer the questions. */
function unanswered({ operations }: OpenapiPreview, options: GivenOptions): Error {
  const what = hasChoice(options) ? 'takes these operations' : `takes all ${operations.length} operations`
  const some = hasChoice(options) ? '' : ' To take some, add --tags or --operations.'
  return usageProblem(
    `Nobody at a terminal can be asked; nothing was changed. "${sameCommand('--yes')}" ${what}.${some}`,
  )
}

/** A person sees the address of a private server before they say yes; a script has to name it. */
function serverIn(
  { servers, isPrivateServer }: OpenapiPreview,
  { server, asks }: { server: string | undefined; asks: boolean },
): Pick<OpenapiEntry, 'server'> {
  if (server !== undefined) return { server }
  const [first] = servers
  if (first === undefined)
    throw usageProblem('The document names no server; say where its operations are: --server <url>')
  if (!isPrivateServer) return {}
  if (asks) return { server: first }
  throw usageProblem(
    `Its server ${first} is on this machine or in a private network, where calls go only if the config names it: add --server ${shellWord(first)}`,
  )
}

interface Added {
  readonly name: string
  readonly entry: OpenapiEntry
  readonly chosen: readonly PreviewedOperation[]
  readonly preview: OpenapiPreview
}

async function write(
  added: Added,
  { file, options, terminal }: { file: EntriesFile; options: GivenOptions; terminal: Terminal },
): Promise<ExitCode> {
  const { name, entry } = added
  const where = shortPath(file.path)
  const isDry = options['dryRun'] === true
  if (!options.json) await showEntry(added, terminal)
  const isWritten =
    !isDry &&
    (await changeEntriesFile(
      file,
      {
        change: { key: KEY, put: { [name]: entry } },
        question: `Add this API to ${where}${file.givesTrust ? ', and trust it' : ''}?`,
        isYes: options['yes'] === true,
      },
      terminal,
    ))
  if (options.json) {
    terminal.printJson(recordOf(added, { file, isWritten }), 2)
    return 0
  }
  if (!isWritten) {
    if (isDry) terminal.explain('Nothing was changed: --dry-run only looks.')
    return isDry ? 0 : 1
  }
  terminal.explain(`The API "${name}" is in ${where} now.`)
  const steps = firstCall(added.preview, added.chosen)
  terminal.explain(`Next: ${(isReady(file) ? steps : [ownCommand('trust'), ...steps]).join(', then ')}`)
  return 0
}

/** The entry as the config gets it. */
async function showEntry({ name, entry }: Added, terminal: Terminal): Promise<void> {
  const { stringify } = await import('yaml')
  terminal.say('')
  for (const line of stringify({ [KEY]: { [name]: entry } }, { lineWidth: 0 })
    .trimEnd()
    .split('\n'))
    terminal.say(`  ${printable(line)}`)
}

function recordOf(
  { name, entry, chosen, preview }: Added,
  { file, isWritten }: { file: EntriesFile; isWritten: boolean },
) {
  return {
    config: file.path,
    kind: KEY,
    source: name,
    written: isWritten,
    ...(isWritten && { trusted: isReady(file) }),
    entry,
    operations: chosen.map((operation) => operation.name),
    preview,
  }
}
