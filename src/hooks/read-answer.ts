import type { HookEvent } from '../contract/unions.js'
import { isObjectOrList } from '../platform/json/is-object.js'
import type { HookAnswer } from './hook.js'

const EVERYWHERE = ['message', 'progress', 'additionalContext'] as const

/** The fields of an answer at each event. Fields without a meaning there are ignored, and the record says so. */
const FIELDS: Record<HookEvent, readonly (keyof HookAnswer)[]> = {
  pre_tool_use: [...EVERYWHERE, 'updatedInput', 'permission', 'stop'],
  permission_request: [...EVERYWHERE, 'updatedInput', 'permission', 'stop'],
  permission_decision: EVERYWHERE,
  post_tool_use: [...EVERYWHERE, 'stop', 'updatedOutput'],
  post_tool_use_failure: EVERYWHERE,
  result_persistence: [...EVERYWHERE, 'stop', 'persistence'],
}

const ALL = new Set(Object.values(FIELDS).flat())

/** Reads each part of an answer once. An unreadable part throws, and the whole answer counts as broken. */
export function readAnswer(given: object, event: HookEvent): { answer: HookAnswer; ignored: string[] } {
  const stray = Object.keys(given).find((key) => !ALL.has(key as keyof HookAnswer))
  if (stray !== undefined) {
    const hint = stray === 'behavior' ? '; a decision belongs in "permission"' : ''
    throw new Error(`its answer has the field "${stray}", which means nothing${hint}.`)
  }
  const said: Record<string, unknown> = {}
  const ignored: string[] = []
  for (const field of ALL) {
    const value: unknown = Reflect.get(given, field)
    if (value === undefined) continue
    if (FIELDS[event].includes(field)) said[field] = value
    else ignored.push(field)
  }
  if ('permission' in said) said['permission'] = readPermission(said['permission'])
  if ('persistence' in said) said['persistence'] = readPersistence(said['persistence'])
  if ('stop' in said) {
    const stop = said['stop']
    said['stop'] = { reason: String(isObjectOrList(stop) ? stop['reason'] : stop) }
  }
  for (const field of ['message', 'progress']) if (field in said) said[field] = String(said[field])
  if ('additionalContext' in said) said['additionalContext'] = [said['additionalContext']].flat().map(String)
  return { answer: said, ignored }
}

function readPermission(given: unknown): unknown {
  if (!isObjectOrList(given))
    throw new Error('its "permission" must be an object such as { behavior: "deny" }.')
  const { behavior, message } = given
  return { behavior, ...(message !== undefined && { message: String(message) }) }
}

const STRATEGIES = ['redact', 'never_persist', 'drop_with_reason']

function readPersistence(given: unknown): unknown {
  const { strategy, reason, fields } = isObjectOrList(given) ? given : {}
  if (!STRATEGIES.includes(strategy as string))
    throw new Error(`its "persistence" must have one of the strategies ${STRATEGIES.join(', ')}.`)
  if (fields === undefined) return { strategy, reason: String(reason ?? 'no reason given') }
  if (strategy !== 'redact' || !Array.isArray(fields) || !fields.every((each) => typeof each === 'string'))
    throw new Error('its "persistence" may have a list of "fields" only for the strategy redact.')
  return { strategy, reason: String(reason ?? 'no reason given'), fields: [...(fields as string[])] }
}
