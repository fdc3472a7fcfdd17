import type { CatalogTool } from '../../../../catalog/catalog-tool.js'
import { hasSources } from '../../../../sources/kinds.js'
import { previewSurface } from '../../../../host/preview-surface.js'
import { toDeclaration } from '../../../../catalog/records/to-declaration.js'
import type { Visibility } from '../../../../surfaces/filters.js'
import type { ExitCode, Given } from '../../program/command.js'
import { cutText, padText, widthOf } from '../../terminal/fit-text.js'
import { loadListedToolsOrStop } from '../../tools/load-listed-tools.js'
import { howToBegin } from '../../program/load-or-stop.js'
import { oneLine } from '../../../../platform/text/printable.js'
import type { Terminal } from '../../terminal/terminal.js'
import type { Redactor } from '../../../../redaction/redactor.js'
import { redactorFor } from '../../program/redactor-for.js'
import { shortFacts } from '../../tools/short-facts.js'

export async function run({ options }: Given, terminal: Terminal): Promise<ExitCode> {
  const settings = await loadListedToolsOrStop(options, terminal)
  const { catalog, config, configPath, secrets } = settings
  const redactor = redactorFor(config, secrets)
  const tools = catalog.list()
  const surface = await previewSurface(settings)
  if (options.json) {
    terminal.printJson(
      tools.map((tool) => withStanding(redactor.value(toDeclaration(tool)), surface.visibilityOf(tool))),
      2,
    )
  } else {
    printList(tools, { terminal, redactor, visibilityOf: (tool) => surface.visibilityOf(tool) })
  }
  if (configPath === undefined) terminal.say(howToBegin())
  else if (tools.length === 0 && !hasSources(settings))
    terminal.say(`${configPath} names no tools; add modules under "tools", or servers under "mcpServers".`)
  return 0
}

function withStanding(declaration: ReturnType<typeof toDeclaration>, visibility: Visibility) {
  return { ...declaration, toolcrib: { ...declaration.toolcrib, surface: visibility } }
}

const GAP = 2
const MIN_DESCRIPTION = 12

function printList(
  tools: readonly CatalogTool[],
  {
    terminal,
    redactor,
    visibilityOf,
  }: { terminal: Terminal; redactor: Redactor; visibilityOf: (tool: CatalogTool) => Visibility },
): void {
  const { style, columns } = terminal
  const rows = tools.map((tool) => {
    const visibility = visibilityOf(tool)
    const isHidden = visibility.standing === 'blocked' || visibility.standing === 'excluded'
    return {
      name: oneLine(tool.toolId),
      facts: visibility.standing === 'loaded' ? shortFacts(tool) : visibility.standing,
      description: oneLine(isHidden ? visibility.message : redactor.text(tool.draft.description)),
      isLoaded: visibility.standing === 'loaded',
    }
  })
  const widest = (field: 'name' | 'facts', most: number): number =>
    Math.min(most, Math.max(0, ...rows.map((row) => widthOf(row[field]))))
  const facts = widest('facts', 24)
  const name = widest('name', Math.max(16, columns - facts - 2 * GAP - MIN_DESCRIPTION - 24))
  for (const row of rows) {
    const shownName = padText(row.name, name)
    const shownFacts = padText(row.facts, facts)
    // Only the description gives way, and nothing does where a program reads.
    const rest = columns - widthOf(shownName) - widthOf(shownFacts) - 2 * GAP
    terminal.print(
      [
        row.isLoaded ? style.bold(shownName) : style.dim(shownName),
        style.dim(shownFacts),
        terminal.isShown ? cutText(row.description, Math.max(MIN_DESCRIPTION, rest)) : row.description,
      ].join(' '.repeat(GAP)),
    )
  }
}
