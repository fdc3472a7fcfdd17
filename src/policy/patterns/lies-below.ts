import { toSegmentTest, type PathPattern } from './path-pattern.js'

/** Whether the pattern could name something in this folder. `isVisible`: names that start with a dot are not read. */
export function mayLieBelow(
  { segments, isAnywhere }: PathPattern,
  folder: readonly string[],
  isVisible: boolean,
): boolean {
  if (isAnywhere) return !(isVisible && isHidden(segments[0]!))
  for (const [index, name] of folder.entries()) {
    const segment = segments[index]
    if (segment === undefined) return false
    if (segment === '**') return true
    if (!toSegmentTest(segment)(name)) return false
  }
  const rest = segments.slice(folder.length)
  return rest.length > 0 && !(isVisible && rest.some(isHidden))
}

const isHidden = (segment: string): boolean => segment.startsWith('.')
