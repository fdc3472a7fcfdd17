import { execFileSync } from 'node:child_process'

/** Why system calls cannot be traced here, if so; tries once to install what is needed. */
export function whyNoTrace(): string | undefined {
  if (process.platform !== 'linux') return 'there is no strace on this platform'
  const works = (): boolean => {
    try {
      execFileSync('strace', ['-f', '-o', '/dev/null', 'true'], { stdio: 'ignore' })
      return true
    } catch {
      return false
    }
  }
  if (works()) return undefined
  try {
    execFileSync('apt-get', ['install', '-y', 'strace'], { stdio: 'ignore', timeout: 20_000 })
  } catch {
    return 'strace is not installed and cannot be'
  }
  return works() ? undefined : 'strace may not trace processes here'
}
