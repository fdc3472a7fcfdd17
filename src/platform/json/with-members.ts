/** First in each literal: a spread of another object then only copies members. */
const NONE = {}

/**
 * `{ ...object, ...members }`, for code that runs in every call. In Node.js 20 an object whose literal begins with a
 * spread gets a hidden class of its own for each member that follows, and when it is frozen. Each takes half a
 * microsecond and is garbage of the old generation, and code that reads such objects stays slow.
 */
export function withMembers<Shape extends object, Members extends object>(
  object: Shape | undefined,
  members: Members,
): Omit<Shape, keyof Members> & Members {
  return { ...NONE, ...object, ...members } as Omit<Shape, keyof Members> & Members
}
