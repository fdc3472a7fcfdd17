/** To find, open and link a file takes as long as to read this much code: about 0.5 ms of CPU. */
const FILE_BYTES = 30_000
/** The same for a module of Node that nothing else loads; some cost several times as much. */
const BUILTIN_BYTES = 100_000

/**
 * The name of the file of each module. Modules that the same steps load are a group; two groups become one file where the
 * steps save more by one file less than they lose by code that they do not need. No two files import each other, and none
 * leads to a package outside of the bundle unless each of its modules does: what is loaded late would load the package
 * with it.
 *
 * @param {{ files: string[], weight: number }[]} steps what is started together, and how often compared with the others
 * @param {(id: string) => { code: string | null, importedIds: string[] } | null} moduleOf
 * @param {(id: string) => boolean} isAlone whether a module stays in a file of its own
 * @returns {Map<string, string>}
 */
export function groupModules(steps, moduleOf, isAlone) {
  const isOutside = (id) => moduleOf(id).code === null
  const loaded = steps.map(({ files, weight }) => ({ weight, ids: loadedWith(files, moduleOf) }))
  const marks = new Map()
  loaded.forEach(({ ids }, at) => {
    for (const id of ids) if (!isOutside(id)) marks.set(id, [...(marks.get(id) ?? []), at])
  })
  const groupOf = new Map()
  for (const [id, loaders] of marks) {
    const outside = [...loadedWith([id], moduleOf)].filter(isOutside)
    const packages = outside
      .filter((each) => !each.startsWith('node:'))
      .sort()
      .join()
    const key = isAlone(id) ? id : `${loaders.join()} ${packages}`
    const group = groupOf.get(key) ?? {
      loaders: new Set(loaders),
      packages,
      builtins: new Set(),
      bytes: 0,
      ids: [],
      isAlone: isAlone(id),
    }
    for (const each of outside) if (each.startsWith('node:')) group.builtins.add(each)
    group.bytes += moduleOf(id).code.length
    group.ids.push(id)
    groupOf.set(key, group)
  }
  const groups = [...groupOf.values()]
  while (mergeBest(groups, loaded, moduleOf));
  return new Map(
    groups.filter((group) => !group.isAlone).flatMap(({ ids }, at) => ids.map((id) => [id, `part-${at}`])),
  )
}

/** The modules that are loaded with these: what they import, and what that imports. */
function loadedWith(files, moduleOf) {
  const seen = new Set(files)
  for (const id of seen) for (const target of moduleOf(id).importedIds) seen.add(target)
  return seen
}

/** Merges the two groups that save most; whether there were two. */
function mergeBest(groups, loaded, moduleOf) {
  const targets = targetsOf(groups, moduleOf)
  const pairs = groups
    .flatMap((left, at) =>
      groups.slice(at + 1).map((right) => ({ left, right, saved: savedBy(left, right, loaded) })),
    )
    .filter(({ left, right, saved }) => saved > 0 && left.packages === right.packages)
    .filter(({ left, right }) => !left.isAlone && !right.isAlone)
    .sort((a, b) => b.saved - a.saved)
  const best = pairs.find(
    ({ left, right }) => !leadsAround(left, right, targets) && !leadsAround(right, left, targets),
  )
  if (best === undefined) return false
  const { left, right } = best
  for (const at of right.loaders) left.loaders.add(at)
  for (const id of right.builtins) left.builtins.add(id)
  left.bytes += right.bytes
  left.ids.push(...right.ids)
  groups.splice(groups.indexOf(right), 1)
  return true
}

function savedBy(left, right, loaded) {
  let saved = 0
  loaded.forEach((step, at) => {
    const hasLeft = left.loaders.has(at)
    const hasRight = right.loaders.has(at)
    if (hasLeft && hasRight) saved += step.weight * FILE_BYTES
    else if (hasLeft) saved -= step.weight * costOf(right, step)
    else if (hasRight) saved -= step.weight * costOf(left, step)
  })
  return saved
}

/** What a step pays for a group that it does not need. */
function costOf({ bytes, builtins }, { ids }) {
  return bytes + [...builtins].filter((id) => !ids.has(id)).length * BUILTIN_BYTES
}

/** The groups that each group imports. */
function targetsOf(groups, moduleOf) {
  const groupOf = new Map(groups.flatMap((group) => group.ids.map((id) => [id, group])))
  return new Map(
    groups.map((group) => {
      const targets = new Set(
        group.ids.flatMap((id) => moduleOf(id).importedIds).map((id) => groupOf.get(id)),
      )
      targets.delete(undefined)
      targets.delete(group)
      return [group, targets]
    }),
  )
}

/** Whether one group imports the other through a third: as one file they and the third would import each other. */
function leadsAround(from, to, targets) {
  const seen = new Set([...targets.get(from)].filter((group) => group !== to))
  for (const group of seen) {
    if (group === to) return true
    for (const target of targets.get(group)) seen.add(target)
  }
  return false
}
