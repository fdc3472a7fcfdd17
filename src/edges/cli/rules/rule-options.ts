import type { RuleArguments } from '../../../host/load-layers.js'
import { permissionModes } from '../../../policy/permission-mode.js'
import type { GivenOptions } from '../program/command.js'
import { usageProblem } from '../program/usage-problem.js'

/** The rules of the command line. */
export function ruleArguments({ rules, allow, ask, deny, mode }: GivenOptions): RuleArguments {
  if (mode !== undefined && !permissionModes.some((each) => each === mode)) {
    throw usageProblem(`There is no mode "${String(mode)}"; there are ${permissionModes.join(', ')}.`)
  }
  return {
    ...(typeof rules === 'string' && { rules }),
    ...(Array.isArray(allow) && { allow: allow as string[] }),
    ...(Array.isArray(ask) && { ask: ask as string[] }),
    ...(Array.isArray(deny) && { deny: deny as string[] }),
    ...(typeof mode === 'string' && { mode }),
  }
}
