type CodeAt = (text: string, at: number) => number

/**
 * The code of a character; NaN after the end. Strings have many internal forms in the engine (flat, sliced,
 * concatenated): a method look-up on all of them, for each character, takes longer than the call.
 */
export const codeAt: CodeAt = Function.prototype.call.bind(String.prototype.charCodeAt) as CodeAt
