/** The only variables that a process inherits: the rest of the environment may contain secrets. */
const INHERITED = ['PATH', 'HOME', 'LANG', 'TERM', 'TMPDIR']

export function inheritedEnvironment(): Record<string, string> {
  const known = INHERITED.map((name) => [name, process.env[name]] as const)
  return Object.fromEntries(known.filter((entry): entry is [string, string] => entry[1] !== undefined))
}
