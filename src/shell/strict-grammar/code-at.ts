type CodeAt = (text: string, at: number) => number

/**
 * The code of a character; no number behind the end. Texts come in many forms inside of the engine (flat, cut out of others,
 * put together): to look up a method on all of them, for each character, takes longer than to call it.
 */
export const codeAt: CodeAt = Function.prototype.call.bind(String.prototype.charCodeAt) as CodeAt
