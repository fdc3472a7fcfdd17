interface Version {
  readonly numbers: readonly number[]
  readonly pre: readonly string[]
}

/** Which of two semantic versions is later: above 0 where it is the first. Build metadata does not count. */
export function compareVersions(left: string, right: string): number {
  const [a, b] = [parseVersion(left), parseVersion(right)]
  for (const index of [0, 1, 2]) {
    const difference = a.numbers[index]! - b.numbers[index]!
    if (difference !== 0) return difference
  }
  // A version is later than its previews.
  if (a.pre.length === 0 || b.pre.length === 0) return b.pre.length - a.pre.length
  for (let index = 0; index < Math.max(a.pre.length, b.pre.length); index++) {
    const order = comparePart(a.pre[index], b.pre[index])
    if (order !== 0) return order
  }
  return 0
}

export function majorOf(version: string): number {
  return parseVersion(version).numbers[0]!
}

/** The next version after a change. */
export function raised(version: string, part: 'major' | 'patch'): string {
  const [major = 0, minor = 0, patch = 0] = parseVersion(version).numbers
  return part === 'major' ? `${major + 1}.0.0` : `${major}.${minor}.${patch + 1}`
}

function parseVersion(version: string): Version {
  const [, core = '0.0.0', pre] = /^(\d+\.\d+\.\d+)(?:-([^+]+))?/.exec(version) ?? []
  return { numbers: core.split('.').map(Number), pre: pre === undefined ? [] : pre.split('.') }
}

function comparePart(left: string | undefined, right: string | undefined): number {
  if (left === undefined || right === undefined) return left === right ? 0 : left === undefined ? -1 : 1
  const [isNumber, isOtherNumber] = [/^\d+$/.test(left), /^\d+$/.test(right)]
  if (isNumber && isOtherNumber) return Number(left) - Number(right)
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1
  return left < right ? -1 : left > right ? 1 : 0
}
