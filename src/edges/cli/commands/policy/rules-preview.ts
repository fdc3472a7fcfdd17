import { loadLayers } from '../../../../host/load-layers.js'
import { previewRules } from '../../../../host/preview-rules.js'
import type { ChangedDecision, RuleChange, RulesPreview } from '../../../../crib/policy/preview-rules.js'
import { errorMessage } from '../../../../platform/text/error-message.js'
import { oneLine } from '../../../../platform/text/printable.js'
import { ruleBehaviors, type RuleBehavior } from '../../../../policy/rules/rule.js'
import { shortId } from '../../calls/find-call.js'
import { wholeNumber } from '../../input/whole-number.js'
import type { ExitCode, Given, GivenOptions } from '../../program/command.js'
import { usageProblem } from '../../program/usage-problem.js'
import { fitText } from '../../terminal/fit-text.js'
import type { Terminal } from '../../terminal/terminal.js'
import { withStore } from '../../tools/kept-tools.js'
import { loadListedToolsOrStop } from '../../tools/load-listed-tools.js'

export async function run({ options }: Given, terminal: Terminal): Promise<ExitCode> {
  const changes = { add: addedIn(options), remove: removedIn(options) }
  if (changes.add.length + changes.remove.length === 0)
    throw usageProblem('Name a change: --allow, --ask or --deny with a rule, or --remove.')
  const limit = options['limit'] === undefined ? undefined : wholeNumber('--limit', options['limit'])
  const settings = await loadListedToolsOrStop(options, terminal)
  const layers = await loadLayers(settings)
  const preview = await withStore(settings, options, (store) =>
    previewRules(settings, changes, { store, layers, limit }),
  ).catch((error: unknown) => {
    throw error instanceof TypeError ? usageProblem(errorMessage(error)) : error
  })
  if (!preview) {
    terminal.say('Nothing was recorded yet, so that there is no call to look at.')
    return 0
  }
  if (options.json) terminal.printJson(preview, 2)
  else print(preview, terminal)
  return preview.problems.length > 0 ? 1 : 0
}

function addedIn(options: GivenOptions): RuleChange[] {
  return ruleBehaviors.flatMap((behavior) => {
    const given = options[behavior]
    return Array.isArray(given) ? (given as string[]).map((rule) => ({ behavior, rule })) : []
  })
}

/** `deny Bash(rm *)`: the behavior and the rule, as "toolcrib rules" prints them. */
function removedIn({ remove = [] }: GivenOptions): RuleChange[] {
  return (remove as string[]).map((given) => {
    const [, behavior, rule] = /^(\w+)\s+(.+)$/s.exec(given.trim()) ?? []
    if (behavior === undefined || rule === undefined || !isBehavior(behavior))
      throw usageProblem(
        `--remove takes a behavior and a rule, such as "deny Bash", not "${oneLine(given)}".`,
      )
    return { behavior, rule }
  })
}

function isBehavior(text: string): text is RuleBehavior {
  return (ruleBehaviors as readonly string[]).includes(text)
}

function print(
  { examined, not_examined: missing, changed, problems }: RulesPreview,
  terminal: Terminal,
): void {
  for (const each of changed) printChange(each, terminal)
  for (const problem of problems) terminal.explain(oneLine(problem), terminal.sayStyle.bad)
  const calls = examined === 1 ? '1 call was' : `${examined} calls were`
  const others = changed.length === 0 ? 'none' : String(changed.length)
  terminal.explain(`${calls} examined; ${others} of them would be decided otherwise.`)
  if (missing > 0)
    terminal.explain(`${missing} more ${missing === 1 ? 'is' : 'are'} of tools that are not here any more.`)
}

function printChange(
  { invocation_id: id, tool_id: tool, created_at: at, before, after }: ChangedDecision,
  { print: line, style, columns }: Terminal,
): void {
  const tail = `${shortId(id)}  ${at.slice(0, 16).replace('T', ' ')}`
  const mark = after === 'deny' ? style.bad : after === 'allow' ? style.good : style.bold
  const head = `${before.padEnd(5)} → ${mark(after.padEnd(5))}  `
  const width = Math.max(16, columns - 15 - tail.length - 2)
  line(`${head}${fitText(oneLine(tool), width)}  ${style.dim(tail)}`)
}
