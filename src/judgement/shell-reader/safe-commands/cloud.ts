import type { CommandFamily } from '../command-spec.js'
import { judgeAws } from '../grammars/judge-aws.js'
import { judgeAz } from '../grammars/judge-az.js'
import { judgeGcloud } from '../grammars/judge-gcloud.js'

const AUTH0 =
  '--debug --no-color --no-input --json --json-compact --csv --tenant= -n= --number= -q= --query= -s= --sort='
const shows = { options: AUTH0 }
const looks = { verbs: { 'list ls': shows, show: shows } }

/** Clients of cloud services, where they only ask for what there is. */
export const cloud: CommandFamily = {
  aws: { isOpenWorld: true, opensManual: true, judge: judgeAws },
  az: { isOpenWorld: true, judge: judgeAz },
  gcloud: { isOpenWorld: true, judge: judgeGcloud },
  auth0: {
    isOpenWorld: true,
    isPersistent: true,
    options: AUTH0,
    helpOf: 'apps users roles rules actions apis orgs domains logs tenants api login logout test',
    verbs: {
      'apps users roles rules actions apis orgs organizations tenants log-streams logs domains custom-domains':
        {
          verbs: {
            'list ls': shows,
            show: shows,
            tail: { options: `${AUTH0} -f= --filter=` },
            'permissions perms': looks,
            'roles members invitations': looks,
          },
        },
      'protection attack-protection ap': {
        verbs: {
          [`brute-force-protection bfp breached-password-detection bpd suspicious-ip-throttling sit bot-detection`]:
            looks,
        },
      },
      'universal-login ul': {
        verbs: { show: shows, prompts: { verbs: { show: shows } }, templates: { verbs: { show: shows } } },
      },
      email: { verbs: { templates: { verbs: { show: shows } }, provider: { verbs: { show: shows } } } },
      api: {
        // With data it would send, and the first word may be a method.
        options: '--debug --no-color --no-input --tenant= -q= --query=',
        operands: 1,
        operand: (value) => /^[\w/-]+$/.test(value) && !/^(?:get|post|put|patch|delete)$/i.test(value),
      },
    },
  },
}
