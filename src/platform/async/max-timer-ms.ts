/** The longest delay of a timer. Longer ones overflow it, and it would fire at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1
