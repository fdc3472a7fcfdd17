/** What a queued call waits for, as `waits_for` of its event says. */
export type WaitsFor =
  | { readonly kind: 'lock'; readonly name: string }
  | {
      readonly kind: 'limit'
      /** The calls that it limits: `calls of the tool "web.fetch"`. */
      readonly name: string
      /** How many of them may run at the same time. */
      readonly concurrent?: number
      readonly per_minute?: number
    }

/**
 * `the lock path:/a`, or `the limit on calls of the tool "web.fetch" (2 at once)`, from the data of the event. Undefined
 * if the event does not say what the call waits for.
 */
export function describeWait(data: object | undefined): string | undefined {
  const waitsFor = (data as { waits_for?: Partial<WaitsFor> } | undefined)?.waits_for
  if (typeof waitsFor !== 'object' || waitsFor === null || typeof waitsFor.name !== 'string') return undefined
  if (waitsFor.kind !== 'limit') return `the lock ${waitsFor.name}`
  const { name, concurrent, per_minute: perMinute } = waitsFor
  const most =
    concurrent !== undefined
      ? ` (${concurrent} at once)`
      : perMinute !== undefined
        ? ` (${perMinute} a minute)`
        : ''
  return `the limit on ${name}${most}`
}
