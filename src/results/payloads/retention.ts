import type { PayloadClass } from './payload-record.js'

/** Retention in days, by class. `false`: for ever. */
export type Retention = Partial<Record<PayloadClass, number | false>>

const DAY_MS = 24 * 60 * 60 * 1000

/** Artifacts stay until they are removed; protected bytes expire first. */
const DEFAULT_DAYS: Record<PayloadClass, number | false> = {
  output: 30,
  block: 30,
  native: 30,
  protected: 7,
  artifact: false,
}

/** `undefined`: for ever. */
export function retainMsOf(retention: Retention, of: PayloadClass): number | undefined {
  const days = retention[of] ?? DEFAULT_DAYS[of]
  return days === false ? undefined : days * DAY_MS
}
