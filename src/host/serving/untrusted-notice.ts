import { ownCommand } from '../../platform/text/own-command.js'
import { shortPath } from '../../platform/config/describe-problem.js'
import { whyUntrusted, type ConfigTrust } from '../../platform/trust/config-trust.js'
import { configOption } from '../config-option.js'

/** For people who look at a gateway: what an untrusted config omits, and the command by which a person trusts it. */
export interface UntrustedNotice {
  readonly message: string
  readonly command: string
}

/** `isInForce`: the gateway runs with the untrusted config, and not with what was trusted before. */
export function untrustedNotice(
  configPath: string,
  trust: Exclude<ConfigTrust, { isTrusted: true }>,
  { isInForce }: { isInForce: boolean },
): UntrustedNotice {
  const file = shortPath(configPath)
  const what = isInForce
    ? `Nothing that ${file} names is opened or run`
    : `The changes of ${file} have no effect`
  return {
    message: `${what}, because ${whyUntrusted(configPath, trust)}.`,
    command: ownCommand(`trust${configOption({ configPath })}`),
  }
}
