/** Groups of files that import each other in a circle, found by Tarjan's algorithm. An import on first use closes none. */
export function findCycles(files) {
  const [index, low, stack, onStack, cycles] = [new Map(), new Map(), [], new Set(), []]
  const visit = (file) => {
    index.set(file, index.size)
    low.set(file, index.get(file))
    stack.push(file)
    onStack.add(file)
    for (const next of files.get(file).loaded) {
      if (!files.has(next)) continue
      if (!index.has(next)) visit(next)
      if (onStack.has(next)) low.set(file, Math.min(low.get(file), low.get(next)))
    }
    if (low.get(file) !== index.get(file)) return
    const group = stack.splice(stack.indexOf(file))
    for (const member of group) onStack.delete(member)
    if (group.length > 1) cycles.push(group)
  }
  for (const file of files.keys()) if (!index.has(file)) visit(file)
  return cycles
}
