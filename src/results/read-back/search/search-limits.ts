/** Around each match. */
export const MAX_CONTEXT_LINES = 10
/** On one page. */
export const MAX_MATCHES = 200
