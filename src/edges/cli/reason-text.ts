import { oneLine } from '../../foundation/text/printable.js'

/** Why a server failed, and what to look for where the system only has a code for it. */
export function reasonText(reason: string): string {
  return oneLine(reason).replace(/\(ENOENT\)\.?$/, '(ENOENT): is it installed and on the PATH?')
}
