const OPEN = 40
const CLOSE = 41

/**
 * Whether `$((…))` holds nothing but numbers. A name will not do: the shell evaluates what the variable holds, and
 * `a[$(command)]` in there runs the command.
 */
export function isPlainArithmetic(text: string): boolean {
  if (!/^\$\(\([0-9 +*/%()<>=!&|^~?:-]*\)\)$/.test(text)) return false
  if (/[0-9] +[0-9]/.test(text)) return false
  // Where a bracket closes before it opens, `((` are two brackets of which each holds a command.
  let depth = 0
  for (let at = 3; at < text.length - 2; at++) {
    const code = text.charCodeAt(at)
    if (code === OPEN) depth++
    else if (code === CLOSE && --depth < 0) return false
  }
  return depth === 0
}
