import type { CatalogTool } from '../../../supply/catalog/catalog-tool.js'
import { previewSurface } from '../../../runtime/preview-surface.js'
import { toDeclaration } from '../../../supply/catalog/to-declaration.js'
import type { Visibility } from '../../../supply/surface/filters.js'
import type { ExitCode, Given } from '../command.js'
import { cutText, fitText, widthOf } from '../fit-text.js'
import { HOW_TO_BEGIN, loadToolsOrStop } from '../load-or-stop.js'
import { oneLine } from '../printable.js'
import type { Terminal } from '../terminal.js'
import type { Redactor } from '../../../foundation/redaction/redactor.js'
import { redactorFor } from '../redactor-for.js'
import { shortFacts } from '../short-facts.js'

export async function run({ options }: Given, terminal: Terminal): Promise<ExitCode> {
  const settings = await loadToolsOrStop(options)
  const { catalog, config, configPath } = settings
  const redactor = redactorFor(config)
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
  if (configPath === undefined) terminal.say(HOW_TO_BEGIN)
  else if (tools.length === 0) terminal.say(`${configPath} names no tools; add modules under "tools".`)
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
  const description = Math.max(MIN_DESCRIPTION, columns - name - facts - 2 * GAP)
  for (const row of rows) {
    const shownName = fitText(row.name, name)
    terminal.print(
      [
        row.isLoaded ? style.bold(shownName) : style.dim(shownName),
        style.dim(fitText(row.facts, facts)),
        cutText(row.description, description),
      ].join(' '.repeat(GAP)),
    )
  }
}
