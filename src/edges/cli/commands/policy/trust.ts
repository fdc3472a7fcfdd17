import { ownCommand } from '../../../../platform/text/own-command.js'
import { dirname, join } from 'node:path'
import { configHome } from '../../../../platform/config/config-home.js'
import { shortPath } from '../../../../platform/config/describe-problem.js'
import { LOCAL_RULES } from '../../../../policy/files/rule-files.js'
import { trustAsRead } from '../../../../platform/trust/config-trust.js'
import { distrustFile } from '../../../../platform/trust/trust-list.js'
import { askYesOrNo } from '../../terminal/ask-yes-or-no.js'
import type { ExitCode, Given } from '../../program/command.js'
import { describeTrust } from '../../trust/describe-trust.js'
import type { Terminal } from '../../terminal/terminal.js'
import { giveFolderTrust } from '../../trust/trust-folder.js'
import { trustRequests, type TrustRequest } from '../../trust/trust-request.js'
import { usageProblem } from '../../program/usage-problem.js'

/** A person trusts files as they are now. The files are shown as text: nothing of them is imported or run. */
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
  for (const request of waiting) describeTrust(request, terminal, { isAll: options['all'] === true })
  if (!(await isAgreed(waiting, options['yes'] === true, terminal))) {
    terminal.say('Nothing was changed.')
    return 1
  }
  // Trusts the files as they were shown: the person has not read later changes.
  for (const { read, named } of waiting) trustAsRead(read, named.files)
  terminal.say('Trusted. Any change of these files asks again.')
  return 0
}

const WHO_TRUSTS =
  'Only a person at a terminal can give trust; nothing was changed. A script of your own says --yes.'

/** Here --yes would be refused, so that it is not offered. */
function whatLoosens(isYes: boolean): string {
  const rules = shortPath(join(configHome(), 'rules.yaml'))
  const who = isYes
    ? '--yes trusts code, and not what loosens the rules.'
    : 'Only a person at a terminal can give trust to what loosens the rules.'
  return `${who} Nothing was changed. Run ${ownCommand('trust')} at a terminal, or put what loosens into your own rules: ${rules}`
}

async function isAgreed(
  waiting: readonly TrustRequest[],
  isYes: boolean,
  terminal: Terminal,
): Promise<boolean> {
  const isLoosened = waiting.some(({ loosening }) => loosening.length > 0)
  if (isYes && !isLoosened) return true
  if (!terminal.isInteractive) throw usageProblem(isLoosened ? whatLoosens(isYes) : WHO_TRUSTS)
  return askYesOrNo('Trust these files as they are now?', terminal)
}
