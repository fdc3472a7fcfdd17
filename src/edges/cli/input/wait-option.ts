import type { GivenOptions } from '../program/command.js'
import { wholeNumber } from './whole-number.js'

const DEFAULT_WAIT_SECONDS = 10

/** How long a command waits for slow servers. */
export function waitMsOf({ wait }: GivenOptions): number {
  return (wait === undefined ? DEFAULT_WAIT_SECONDS : wholeNumber('--wait', wait)) * 1000
}
