import { userInfo } from 'node:os'

/** Who sits at the keyboard, as the system knows them. */
export function userName(): string {
  try {
    return userInfo().username
  } catch {
    return 'unknown' // a container may run under a number that has no name
  }
}

/** The person at the keyboard, as whoever approves: another than the agents that run under the same name. */
export function personName(): string {
  return `person:${userName()}`
}
