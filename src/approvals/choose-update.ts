import type { ApprovalScope } from '../contract/unions.js'
import { sameJson } from '../platform/json/same-json.js'

type Update = Readonly<Record<string, unknown>>

/** The suggested update that was named, by itself or by its number from 1; otherwise the first that suits the scope. */
export function chooseUpdate(
  offered: readonly Update[],
  { scope, update }: { scope?: ApprovalScope | undefined; update?: Update | number | undefined },
): Update | undefined {
  if (typeof update === 'object') return offered.find((each) => sameJson(each, update))
  if (update !== undefined) return offered[update - 1]
  const isForSession = (each: Update): boolean => each['destination'] === 'session'
  return offered.find((each) => isForSession(each) === (scope === 'session')) ?? offered[0]
}

/** The update as it applies once accepted: for the session, or permanently in the file that it names. */
export function updateInScope(update: Update, scope: Exclude<ApprovalScope, 'once'>): Update {
  const { destination } = update
  const lasting = destination === 'session' ? 'local_settings' : destination
  return { ...update, destination: scope === 'session' ? 'session' : lasting }
}
