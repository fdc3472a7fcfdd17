import type { Crib, CribOptions } from '../../runtime/crib.js'
import { loadCrib } from '../../runtime/load-crib.js'
import type { LoadedTools } from '../../runtime/load-tools.js'
import type { GivenOptions } from './command.js'
import { loadLayersOrStop } from './load-layers-or-stop.js'
import { loadOutsideOrStop } from './load-or-stop.js'
import { refuseInsideCall } from './refuse-inside-call.js'
import { sayRuleProblems } from './say-rule-problems.js'
import type { Terminal } from './terminal.js'
import { usageProblem } from './usage-problem.js'
import { userName } from './user-name.js'

type Settings = Extract<LoadedTools, { ok: true }>

const LOOSENING = ['yes', 'allow', 'mode', 'rules']

/** The crib of a command that calls: with the rules of the command line, and with those who are asked. */
export async function loadCribForCalls(
  settings: Settings,
  options: GivenOptions,
  terminal: Terminal,
  asked: Pick<CribOptions, 'approver' | 'responder' | 'reviewers'>,
): Promise<Crib> {
  checkLoosening(settings, options)
  const layers = await loadLayersOrStop(settings, options)
  const outside = await loadOutsideOrStop(settings)
  sayRuleProblems(layers, terminal)
  return loadCrib({
    settings,
    tools: settings.drafts,
    store: options.store,
    layers,
    outside,
    more: {
      actor: settings.config.actor ?? userName(),
      ...asked,
      // Over as soon as its calls are: what others left is for a process that stays.
      approvals: { claim: false },
    },
  })
}

/** Options that let more run are for people; and where reviewers are named, only they say yes. */
export function checkLoosening({ config }: Settings, options: GivenOptions): void {
  if (LOOSENING.some((name) => options[name] !== undefined)) refuseInsideCall()
  if (options['yes'] !== true || (config.approvals?.reviewers ?? []).length === 0) return
  throw usageProblem(
    'The config names reviewers, so --yes is not heard; leave it out and let one of them answer.',
  )
}
