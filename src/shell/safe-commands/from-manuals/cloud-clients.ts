import type { CommandFamily } from '../../command-spec.js'
import { judgeGcloud } from '../../grammars/judge-gcloud.js'

const AUTH0 =
  '--no-color --no-input --json --json-compact --csv --tenant= -n= --number= -q= --query= -s= --sort='
const shows = { options: AUTH0 }
const looks = { verbs: { 'list ls': shows, show: shows } }

/** Clients of cloud services that Debian does not have, if they only list or describe. */
export const cloudClients: CommandFamily = {
  gcloud: { isOpenWorld: true, judge: judgeGcloud },
  auth0: {
    isOpenWorld: true,
    isPersistent: true,
    // Not --reveal-secrets.
    options: `${AUTH0} --debug`,
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
        // Without a method it would send its standard input.
        verbs: {
          get: {
            options: '--no-color --no-input --tenant= -q= --query=',
            operands: 1,
            operand: (value) => /^[\w/-]+$/.test(value),
          },
        },
      },
    },
  },
}
