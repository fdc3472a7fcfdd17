/** Variables whose value changes no program's meaning. */
const HARMLESS = /^(?:LC_\w+|LANG|LANGUAGE|TZ|NO_COLOR|FORCE_COLOR|CI|TERM|COLUMNS|LINES|[a-z_][a-z0-9_]*)$/

const ASSIGNED =
  /(?:^|[;&|(){}\n]|\b(?:export|declare|local|readonly|typeset|for|select|do|then|else)\b)\s*(?:-\w+\s+)*([A-Za-z_]\w*)(?:\[[^\]]*\])?(?:\+?=|\s+in\s)/g

/** Whether the line itself sets what decides which programs run and how: an allowed name may then mean another one. */
export function setsEnvironment(text: string): boolean {
  for (const [, name] of text.matchAll(ASSIGNED)) if (!HARMLESS.test(name!)) return true
  return (
    /\b(?:export|declare|typeset|alias|shopt|enable|hash|set)\b/.test(text) &&
    /(?:^|[;&|(){}\n])\s*(?:alias|shopt|enable|hash)\b/.test(text)
  )
}
