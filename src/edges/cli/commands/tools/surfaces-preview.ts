import { createAgents } from '../../../../crib/catalog/agents.js'
import { previewSurface } from '../../../../host/preview-surface.js'
import { redactorFor } from '../../../../host/redactor-for.js'
import { surfaceLookup, surfaceNames } from '../../../../host/serving/gateway-settings.js'
import { oneLine } from '../../../../platform/text/printable.js'
import {
  toSurfacePreview,
  type PreviewedTool,
  type SurfacePreview,
} from '../../../../surfaces/preview/surface-preview.js'
import type { SurfaceRequest } from '../../../../surfaces/surface-request.js'
import { countAhead, loadCostOf } from '../../../../surfaces/tool-cost.js'
import type { ExitCode, Given } from '../../program/command.js'
import { howToBegin } from '../../program/load-or-stop.js'
import { usageProblem } from '../../program/usage-problem.js'
import { fitText, widthOf } from '../../terminal/fit-text.js'
import type { Terminal } from '../../terminal/terminal.js'
import { loadListedToolsOrStop, type ListedTools } from '../../tools/load-listed-tools.js'

export async function run(
  { arguments: [name = 'default'], options }: Given,
  terminal: Terminal,
): Promise<ExitCode> {
  const settings = await loadListedToolsOrStop(options, terminal)
  const built = await previewSurface(settings, requestOf(settings, name))
  const costOf = await loadCostOf()
  await countAhead([...built.loaded, ...built.deferred], costOf)
  const preview = await toSurfacePreview(built, { tools: settings.catalog.list(), costOf })
  const shown = { surface: name, ...redactorFor(settings.config, settings.secrets).value(preview) }
  if (options.json) terminal.printJson(shown, 2)
  else print(shown, terminal)
  if (settings.configPath === undefined) terminal.say(howToBegin())
  return 0
}

function requestOf(settings: ListedTools, name: string): SurfaceRequest {
  const { agents = createAgents() } = settings
  const crib = { agents: () => agents.list() }
  const found = surfaceLookup(settings, crib)(name)
  if (found === undefined) {
    const names = surfaceNames(settings, crib).map((each) => oneLine(each.name))
    throw usageProblem(`There is no surface "${oneLine(name)}"; there is ${names.join(', ')}.`)
  }
  if ('problem' in found) throw usageProblem(found.problem)
  return agents.resolve(found)
}

function print(preview: SurfacePreview, { print: line, style, columns, explain }: Terminal): void {
  const {
    items,
    total_tokens: total,
    loaded_tokens: loaded,
    saved_tokens: saved,
    budget_tokens: budget,
  } = preview
  const width = Math.min(40, Math.max(0, ...items.map(({ tool_id: id }) => widthOf(oneLine(id)))))
  for (const item of items) line(rowOf(item, { width, style, columns }).trimEnd())
  if (items.length > 0) line('')
  const count = (tokens: number): string => tokens.toLocaleString('en-US')
  const of = budget === undefined ? '' : ` The budget is ${count(budget)} tokens.`
  const less = saved > 0 ? `; deferral saves ${count(saved)}` : ''
  explain(`The list takes ${count(loaded)} of ${count(total)} tokens${less}.${of}`)
}

function rowOf(
  { tool_id: id, visibility, tokens, reason_message: why }: PreviewedTool,
  { width, style, columns }: Pick<Terminal, 'style' | 'columns'> & { width: number },
): string {
  const mark = visibility === 'loaded' ? style.bold : visibility === 'denied' ? style.bad : style.dim
  const head = `${mark(visibility.padEnd(9))}${String(tokens ?? '').padStart(6)}  ${fitText(oneLine(id), width)}`
  const left = Math.max(16, columns - width - 19)
  return visibility === 'loaded' ? head : `${head}  ${style.dim(fitText(oneLine(why), left).trimEnd())}`
}
