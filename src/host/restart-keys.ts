import { sameJson } from '../platform/json/same-json.js'
import { sourceKinds } from '../sources/kinds.js'
import type { CribSettings } from './crib-settings.js'

type Config = CribSettings['config']

/** Keys of permission that are followed while a config is in use. */
const FOLLOWED_RULES: ReadonlySet<string> = new Set([
  'mode',
  'allow',
  'ask',
  'deny',
  'waivers',
  'working_directories',
])

/** The keys that changed and are read only at the start, such as `results` or `permission.engine`. */
export function restartKeys(now: Config, before: Config): string[] {
  const isServeChanged = !sameJson(withoutTokens(now.serve), withoutTokens(before.serve))
  const rules = changedKeys(now.permission ?? {}, before.permission ?? {})
  const followed = new Set(['permission', 'serve', ...sourceKinds().map(({ key }) => key)])
  return [
    ...changedKeys(now, before).filter((key) => !followed.has(key)),
    ...(isServeChanged ? ['serve'] : []),
    ...rules.filter((key) => !FOLLOWED_RULES.has(key)).map((key) => `permission.${key}`),
  ].toSorted()
}

/** The tokens of a config are followed while it is in use. */
function withoutTokens({ auth = {}, ...serve }: Config['serve'] = {}): object {
  const { tokens: _, ...rest } = auth
  return { ...serve, auth: rest }
}

function changedKeys(now: object, before: object): string[] {
  const keys = new Set([...Object.keys(now), ...Object.keys(before)])
  return [...keys].filter((key) => !sameJson(Reflect.get(now, key), Reflect.get(before, key)))
}
