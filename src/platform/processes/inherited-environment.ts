/** The only variables that a process inherits: the rest of the environment may contain secrets. */
export const INHERITED: readonly string[] = ['PATH', 'HOME', 'LANG', 'TERM', 'TMPDIR']

export function inheritedEnvironment(
  env: NodeJS.ProcessEnv = process.env,
  more: readonly string[] = [],
): Record<string, string> {
  const known = [...INHERITED, ...more].map((name) => [name, env[name]] as const)
  return Object.fromEntries(known.filter((entry): entry is [string, string] => entry[1] !== undefined))
}
