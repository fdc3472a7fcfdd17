const DEFINITION = /([^\s;&|(){}<>'"`$]+)\s*\(\s*\)|\bfunction\s+([^\s;&|(){}<>'"`$]+)/g

const NONE: ReadonlySet<string> = new Set()

/** Names to which a command line gives a meaning of its own: they no longer mean the program that a rule allows. */
export function definedNames(text: string): ReadonlySet<string> {
  if (!text.includes('(') && !text.includes('function')) return NONE
  const names = [...text.matchAll(DEFINITION)].flatMap(([, name, other]) => name ?? other ?? [])
  return names.length > 0 ? new Set(names) : NONE
}
