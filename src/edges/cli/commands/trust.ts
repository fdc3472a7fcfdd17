import { dirname, join } from 'node:path'
import { LOCAL_RULES } from '../../../runtime/rule-files.js'
import { trustAsRead } from '../../../runtime/trust/config-trust.js'
import { distrustFile } from '../../../runtime/trust/trust-list.js'
import { askPerson } from '../ask-person.js'
import type { ExitCode, Given } from '../command.js'
import { describeTrust } from '../describe-trust.js'
import type { Terminal } from '../terminal.js'
import { giveFolderTrust } from '../trust-folder.js'
import { trustRequests, type TrustRequest } from '../trust-request.js'
import { usageProblem } from '../usage-problem.js'

/** Trust is a person's word about files as they are now. They are shown as text: nothing of them is imported or run. */
export async function run({ arguments: words, options }: Given, terminal: Terminal): Promise<ExitCode> {
  const [folder] = words
  if (folder !== undefined)
    return giveFolderTrust(folder, { isRevoked: options['revoke'] === true, terminal })
  const { configPath, waiting } = await trustRequests(options)
  if (options['revoke'] === true) {
    const revoked = [configPath, join(dirname(configPath), LOCAL_RULES)].filter((path) => distrustFile(path))
    terminal.say(
      revoked.length > 0
        ? 'Nothing of it runs any more, and what it loosens no longer counts.'
        : 'Nothing here was trusted.',
    )
    return 0
  }
  if (waiting.length === 0) {
    terminal.say('Nothing here waits for your trust.')
    return 0
  }
  for (const request of waiting) describeTrust(request, terminal)
  if (!(await isAgreed(waiting, options['yes'] === true, terminal))) {
    terminal.say('Nothing was changed.')
    return 1
  }
  // As they were when they were shown: what was written since has been read by nobody.
  for (const { read, named } of waiting) trustAsRead(read, named.files)
  terminal.say('Trusted. Any change of these files asks again.')
  return 0
}

async function isAgreed(
  waiting: readonly TrustRequest[],
  isYes: boolean,
  terminal: Terminal,
): Promise<boolean> {
  if (isYes && waiting.every(({ loosening }) => loosening.length === 0)) return true
  if (!terminal.isInteractive) {
    throw usageProblem(
      isYes
        ? '--yes trusts code, and not what loosens the rules: only a person at a terminal can. Nothing was changed.'
        : 'Only a person at a terminal can give trust; nothing was changed. A script of your own says --yes.',
    )
  }
  const answer = await askPerson('Trust these files as they are now? [y/N] ', { terminal })
  return /^\s*y(es)?\s*$/i.test(answer ?? '')
}
