import { userInfo } from 'node:os'

/** The name of the user that this process runs as. */
export function userName(): string {
  try {
    return userInfo().username
  } catch {
    return 'unknown' // a container may run under a number that has no name
  }
}
