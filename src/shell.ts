export { readExit } from './judgement/shell-reader/read-exit.js'
export type { ExitMeaning, ExitOptions, ExitReading } from './judgement/shell-reader/exit-reading.js'
