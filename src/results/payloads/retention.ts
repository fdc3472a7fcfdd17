import type { PayloadClass } from './payload-record.js'

/** For how many days bytes are kept, by what they are kept for. `false`: for good. */
export type Retention = Partial<Record<PayloadClass, number | false>>

const DAY_MS = 24 * 60 * 60 * 1000

/** Deliverables stay until somebody removes them; what is protected goes first. */
const DEFAULT_DAYS: Record<PayloadClass, number | false> = {
  output: 30,
  block: 30,
  native: 30,
  protected: 7,
  artifact: false,
}

/** `undefined`: for good. */
export function retainMsOf(retention: Retention, of: PayloadClass): number | undefined {
  const days = retention[of] ?? DEFAULT_DAYS[of]
  return days === false ? undefined : days * DAY_MS
}
