export { readExit } from './shell/read-exit.js'
export type { ExitMeaning, ExitOptions, ExitReading } from './shell/exit-reading.js'
