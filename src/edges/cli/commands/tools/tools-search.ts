import { ownCommand } from '../../../../platform/text/own-command.js'
import { pendingOn } from '../../../../crib/discovery/pending-on.js'
import type { SearchCandidate } from '../../../../crib/discovery/search-candidate.js'
import { searchSurface } from '../../../../crib/discovery/search-surface.js'
import type { SurfaceSearchResult } from '../../../../crib/discovery/to-search-result.js'
import { previewSurface } from '../../../../host/preview-surface.js'
import { createToolSearch } from '../../../../search/create-tool-search.js'
import type { ExitCode, Given } from '../../program/command.js'
import { cutText, fitText, widthOf } from '../../terminal/fit-text.js'
import { loadListedToolsOrStop } from '../../tools/load-listed-tools.js'
import { howToBegin } from '../../program/load-or-stop.js'
import { oneLine } from '../../../../platform/text/printable.js'
import { redactorFor } from '../../../../host/redactor-for.js'
import type { Terminal } from '../../terminal/terminal.js'
import { usageProblem } from '../../program/usage-problem.js'
import { wholeNumber } from '../../input/whole-number.js'

export async function run({ arguments: words, options }: Given, terminal: Terminal): Promise<ExitCode> {
  const query = words.join(' ').trim()
  if (/^(select:[\s,]*)?$/i.test(query)) throw usageProblem(query === '' ? NO_WORDS : NO_NAMES)
  const limit = options['limit'] === undefined ? undefined : wholeNumber('--limit', options['limit'])
  const settings = await loadListedToolsOrStop(options, terminal)
  const { catalog, config, configPath, secrets, pending } = settings
  const surface = await previewSurface(settings)
  const found = await searchSurface(
    {
      search: createToolSearch({ catalog }),
      redactor: redactorFor(config, secrets),
      // Usage counts are in the store, which a list of tools does not open.
      recentUse: () => 0,
      pending: pendingOn(surface, pending),
    },
    surface,
    query,
    { limit },
  )
  if (options.json) terminal.printJson(found, 2)
  else {
    printCandidates(found.toolcrib.candidates, terminal)
    sayOutcome(found, terminal)
  }
  if (configPath === undefined) terminal.say(howToBegin())
  return found.missing_names?.length ? 2 : 0
}

const NO_WORDS = 'Say what the tool should do: toolcrib tools search send a message'
const NO_NAMES = 'Name tools after "select:", with commas between: toolcrib tools search select:math.add'

const GAP = 2
const SCORE = 4
const MIN_DESCRIPTION = 30

/** Two lines each: score, tool and description; which words were found where. */
function printCandidates(candidates: readonly SearchCandidate[], terminal: Terminal): void {
  const { style, columns } = terminal
  const room = columns - SCORE - 2 * GAP
  const widest = Math.max(0, ...candidates.map(({ tool_id: id }) => widthOf(oneLine(id))))
  const name = Math.min(widest, Math.max(16, room - MIN_DESCRIPTION))
  for (const { tool_id: id, score, reason, description, loading_state: state } of candidates) {
    const why = state === 'loaded' ? reason : `${reason} (deferred)`
    terminal.print(
      [
        score.toFixed(2).padStart(SCORE),
        style.bold(fitText(oneLine(id), name)),
        cutText(oneLine(description), room - name),
      ].join(' '.repeat(GAP)),
    )
    terminal.print(`${' '.repeat(SCORE + GAP)}${style.dim(cutText(oneLine(why), columns - SCORE - GAP))}`)
  }
}

function sayOutcome(found: SurfaceSearchResult, terminal: Terminal): void {
  const { candidates, near_misses: near } = found.toolcrib
  const missing = found.missing_names ?? []
  const pending = found.pending_providers ?? []
  if (missing.length > 0)
    terminal.explain(`No tool here is called ${missing.map((name) => `"${oneLine(name)}"`).join(' or ')}.`)
  else if (candidates.length === 0) terminal.explain(`No tool matches "${oneLine(found.query)}".`)
  if (near.length > 0) terminal.say('Nearest:')
  for (const { tool_id: id, description } of near)
    terminal.say(cutText(`  ${oneLine(id)}  ${oneLine(description)}`, terminal.room().columns))
  if (pending.length > 0)
    terminal.explain(`Still connecting: ${pending.map(oneLine).join(', ')}; search again soon.`)
  if (candidates.length === 0) terminal.explain(whatToTry(found))
  else if (terminal.hasReader) terminal.explain(howToGoOn(found), terminal.sayStyle.dim)
}

function howToGoOn({ matches, query_type: type }: SurfaceSearchResult): string {
  const [best = '', ...others] = matches.slice(0, 2).map(oneLine)
  const show = `All about one: ${ownCommand(`tools show ${best}`)}`
  if (type === 'select' || others.length === 0) return show
  return `${show}\nSome by name: ${ownCommand(`tools search select:${[best, ...others].join(',')}`)}`
}

function whatToTry({ query, query_type: type }: SurfaceSearchResult): string {
  if (type === 'select')
    return `To search by words, leave "select:" out; "${ownCommand('tools')}" lists all tools.`
  const isStrict = /(?:^|\s)\+\S/.test(query)
  const how = isStrict ? 'the same words without "+", or other words' : 'other words'
  return `Try ${how} for what the tool should do; "${ownCommand('tools')}" lists all tools.`
}
