import { resolve } from 'node:path'
import type { ShellReading } from '../../shell/shell-reading.js'

/** Names that mean something else in each process: what they stand for is known when the command runs, not before. */
const OF_A_PROCESS = /\/proc\/(?:self|thread-self|\d+|\$|\*|\?)|\/dev\/fd\/(?!\d+(?:\s|$|[;&|<>)]))/

/** Whether a command names files in a way that only shows while it runs: through a process, or back out of a link. */
export function shiftsPaths(
  text: string,
  { commands }: ShellReading,
  { cwd, followLinks }: { cwd: string; followLinks(path: string): string },
): boolean {
  if (OF_A_PROCESS.test(text)) return true
  if (!text.includes('..')) return false
  const isLink = (path: string): boolean =>
    followLinks(resolve(cwd, path)) !== resolve(followLinks(cwd), path)
  return commands.some(({ words }) => {
    const [program = '', ...operands] = words
    // Whoever goes into a link and out of it again is not where it seems.
    if (
      (program === 'cd' || program === 'pushd') &&
      operands.some((each) => !each.startsWith('-') && isLink(each))
    )
      return true
    return operands.some((each) => {
      const out = /^(.*?[^/.][^/]*)\/\.\.(?:\/|$)/.exec(each)
      return out !== null && isLink(out[1]!)
    })
  })
}
