/** Why a tool that takes its arguments in another way is refused: it would be given JSON all the same. */
export function onlyJson(argumentMode: unknown): string {
  return `has the argument mode "${String(argumentMode)}", but arguments are given as JSON here; leave "argumentMode" out, and take a text, a file or a stream as a field of the input.`
}
