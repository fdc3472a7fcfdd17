import { shortPath } from '../platform/config/describe-problem.js'
import { ownCommand } from '../platform/text/own-command.js'
import type { ConfigTrust } from '../platform/trust/config-trust.js'
import type { SourceProblem } from './kind.js'

type Untrusted = Exclude<ConfigTrust, { isTrusted: true }>

/** The problem of an entry in an untrusted config: the entry is excluded, whatever its kind. */
export function notStarted(
  { noun, entry }: { readonly noun: string; readonly entry: string },
  { file, trust }: { readonly file: string; readonly trust: Untrusted },
): SourceProblem {
  const message = `the ${noun} "${entry}" is not started; ${whyNotStarted(file, trust)}: ${ownCommand('trust')}`
  return { file, entry, message, isLeftOut: true, untrusted: trust }
}

function whyNotStarted(configPath: string, trust: Untrusted): string {
  switch (trust.why) {
    case 'unknown':
      return 'it is of a project that you have not trusted'
    case 'changed':
      return trust.file === configPath
        ? 'its config has changed since you trusted it'
        : `${shortPath(trust.file)} has changed since you trusted it`
    case 'added':
      return `its config names ${shortPath(trust.file)}, which was not there when you trusted it`
  }
}
