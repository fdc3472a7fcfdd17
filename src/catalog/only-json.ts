/** Why a tool with another argument mode is rejected: it would get JSON anyway. */
export function onlyJson(argumentMode: unknown): string {
  return `has the argument mode "${String(argumentMode)}", but arguments are given as JSON here; leave "argumentMode" out, and take a text, a file or a stream as a field of the input.`
}
