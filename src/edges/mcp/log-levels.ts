/** From the least to the most severe, as the protocol orders them. */
export const logLevels = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const
export type LogLevel = (typeof logLevels)[number]

export function isLogLevel(value: unknown): value is LogLevel {
  return (logLevels as readonly unknown[]).includes(value)
}

/** Whether a message of this level is severe enough. A message of an unknown level is sent rather than lost. */
export function passesLevel(level: unknown, least: LogLevel): boolean {
  return !isLogLevel(level) || logLevels.indexOf(level) >= logLevels.indexOf(least)
}
