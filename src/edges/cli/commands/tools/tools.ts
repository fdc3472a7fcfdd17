import type { CatalogTool } from '../../../../catalog/catalog-tool.js'
import { createAgents } from '../../../../crib/catalog/agents.js'
import { settingsForAgent, surfaceRequestOf } from '../../../../host/load-settings.js'
import { errorMessage } from '../../../../platform/text/error-message.js'
import { hasSources, sourceKeys } from '../../../../sources/kinds.js'
import { previewSurface } from '../../../../host/preview-surface.js'
import { toDeclaration } from '../../../../catalog/records/to-declaration.js'
import type { BuiltSurface } from '../../../../surfaces/build-surface.js'
import type { Visibility } from '../../../../surfaces/filters.js'
import type { SurfaceRequest } from '../../../../surfaces/surface-request.js'
import { textOption, type ExitCode, type Given, type GivenOptions } from '../../program/command.js'
import { cutText, padText, widthOf } from '../../terminal/fit-text.js'
import { loadListedToolsOrStop, type ListedTools } from '../../tools/load-listed-tools.js'
import { howToBegin } from '../../program/load-or-stop.js'
import { usageProblem } from '../../program/usage-problem.js'
import { oneLine } from '../../../../platform/text/printable.js'
import type { Terminal } from '../../terminal/terminal.js'
import type { Redactor } from '../../../../redaction/redactor.js'
import { redactorFor } from '../../../../host/redactor-for.js'
import { shortFacts } from '../../tools/short-facts.js'

export async function run({ options }: Given, terminal: Terminal): Promise<ExitCode> {
  const settings = await loadListedToolsOrStop(options, terminal)
  const { catalog, config, configPath, secrets } = settings
  const redactor = redactorFor(config, secrets)
  // Before the preview, which adds the tools that find others.
  const all = catalog.list()
  const surface = await previewSurface(settings, requestFor(settings, options))
  const tools = all.filter((tool) => !isOfAnotherAgent(tool, surface))
  if (options.json) {
    terminal.printJson(
      tools.map((tool) => withVisibility(redactor.value(toDeclaration(tool)), surface.visibilityOf(tool))),
      2,
    )
  } else {
    printList(tools, { terminal, redactor, surface, find: catalog.find })
  }
  if (configPath === undefined) terminal.say(howToBegin())
  else if (tools.length === 0 && !hasSources(settings))
    terminal.say(`${configPath} names no tools; add modules under "tools", or sources under ${sourceKeys()}.`)
  return 0
}

function requestFor(settings: ListedTools, options: GivenOptions): SurfaceRequest {
  const agent = textOption(options, 'agent')
  if (agent === undefined) return surfaceRequestOf(settings)
  const { agents = createAgents() } = settings
  const request = surfaceRequestOf(settingsForAgent(settings, agent))
  try {
    agents.check(request)
  } catch (error) {
    throw usageProblem(errorMessage(error))
  }
  return agents.resolve(request)
}

/** The list of an agent has only its own tools: the others are no part of it. */
function isOfAnotherAgent(tool: CatalogTool, { request, visibilityOf }: BuiltSurface): boolean {
  if (request.agent === undefined) return false
  // A draft or a disabled tool has that as its reason, also where the agent does not refer to it.
  if (!request.include?.includes(tool.toolId)) return true
  const visibility = visibilityOf(tool)
  return visibility.state === 'excluded' && visibility.reason === 'toolcrib.not_selected'
}

/** The facts of a tool, and what the surface demands of its calls. */
function factsOn({ request }: BuiltSurface, tool: CatalogTool): string {
  const { approvalRequired = [], maxCallsPerRun = {} } = request
  const words = [shortFacts(tool)]
  if (approvalRequired.includes(tool.toolId)) words.push('approval')
  const most = Object.hasOwn(maxCallsPerRun, tool.toolId) ? maxCallsPerRun[tool.toolId] : undefined
  if (most !== undefined) words.push(`${most} a run`)
  return words.join(', ')
}

function withVisibility(declaration: ReturnType<typeof toDeclaration>, visibility: Visibility) {
  const { state, ...more } = visibility
  return { ...declaration, toolcrib: { ...declaration.toolcrib, surface: { visibility: state, ...more } } }
}

const GAP = '  '
const MIN_NAME = 16
const MIN_DESCRIPTION = 16

interface PrintParts {
  readonly terminal: Terminal
  readonly redactor: Redactor
  readonly surface: BuiltSurface
  readonly find: (name: string) => CatalogTool | undefined
}

interface Row {
  readonly name: string
  /** Or the state of a tool that is not loaded. */
  readonly facts: string
  readonly description: string
  readonly isLoaded: boolean
  /** Whether the description says why the tool cannot be called. */
  readonly isReason: boolean
}

function printList(tools: readonly CatalogTool[], parts: PrintParts): void {
  const { terminal } = parts
  const rows = tools.map((tool) => rowOf(tool, parts))
  const widths = widthsOf(rows, terminal.columns)
  const cut = rows.filter((row) => printRow(row, widths, terminal) === 'cut')
  printReasons(cut, terminal)
}

function rowOf(tool: CatalogTool, { redactor, surface, find }: PrintParts): Row {
  const visibility = surface.visibilityOf(tool)
  const { state } = visibility
  const isReason = state === 'blocked' || state === 'excluded'
  return {
    name: oneLine(listedName(tool, find)),
    facts: state === 'loaded' ? factsOn(surface, tool) : state,
    description: oneLine(isReason ? visibility.message : redactor.text(tool.draft.description)),
    isLoaded: state === 'loaded',
    isReason,
  }
}

interface Widths {
  readonly name: number
  readonly facts: number
}

/** As wide as the texts that leave room for the others. */
function widthsOf(rows: readonly Row[], columns: number): Widths {
  const widest = (field: 'name' | 'facts', most: number): number =>
    Math.max(0, ...rows.map((row) => widthOf(row[field])).filter((width) => width <= most))
  const room = columns - 2 * GAP.length - MIN_DESCRIPTION
  const facts = widest('facts', room - MIN_NAME)
  return { facts, name: widest('name', Math.max(MIN_NAME, room - facts)) }
}

/** Only the description is truncated, and nothing where a program reads. A row that is too wide for a terminal is two lines. */
function printRow(
  { name, facts, description, isLoaded }: Row,
  widths: Widths,
  terminal: Terminal,
): 'cut' | 'whole' {
  const { style, isShown, columns } = terminal
  const paint = isLoaded ? style.bold : style.dim
  const isWide = isShown && (widthOf(name) > widths.name || widthOf(facts) > widths.facts)
  const shownName = isWide ? '' : padText(name, widths.name)
  const shownFacts = isWide ? facts : padText(facts, widths.facts)
  const room = columns - widthOf(shownName) - widthOf(shownFacts) - 2 * GAP.length
  const shown = isShown ? cutText(description, Math.max(0, room)) : description
  if (isWide) terminal.print(paint(name))
  terminal.print([paint(shownName), style.dim(shownFacts), shown].join(GAP))
  return shown === description ? 'whole' : 'cut'
}

/** The reasons that did not fit into their rows, each once. */
function printReasons(rows: readonly Row[], terminal: Terminal): void {
  const found = new Map<string, { readonly name: string; readonly count: number }>()
  for (const { name, facts: state, description, isReason } of rows) {
    const why = `${state}: ${description}`
    if (isReason) found.set(why, { name, count: (found.get(why)?.count ?? 0) + 1 })
  }
  for (const [why, { name, count }] of found) {
    terminal.print('')
    terminal.printText(`${count === 1 ? `${name} is` : `${count} tools are`} ${why}`)
  }
}

/** The id, or the own name where the id is not made from it and no other tool has that name: `shell.exec`. */
function listedName(tool: CatalogTool, find: PrintParts['find']): string {
  const { toolId, qualifiedName, draft } = tool
  return toolId !== qualifiedName && find(draft.name) === tool ? draft.name : toolId
}
