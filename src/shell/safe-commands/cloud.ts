import type { CommandFamily } from '../command-spec.js'
import { judgeAws } from '../grammars/judge-aws.js'
import { judgeAz } from '../grammars/judge-az.js'

/** Clients of cloud services, if they only list or describe. */
export const cloud: CommandFamily = {
  aws: { isOpenWorld: true, opensManual: true, judge: judgeAws },
  az: { isOpenWorld: true, judge: judgeAz },
}
