import { oneLine, printableJson } from '../platform/text/printable.js'

const WHERE: Readonly<Record<string, string>> = {
  session: 'for this session',
  local_settings: 'in toolcrib.local.yaml',
  project_settings: 'in the config',
  user_settings: 'in your own rules',
}

/** A suggested change of rules, in a few words. */
export function describeUpdate(update: Readonly<Record<string, unknown>>): string {
  const { type, behavior, rules, mode, directories, destination } = update
  const list = (given: unknown): string => (Array.isArray(given) ? given.join(', ') : '')
  const where = WHERE[String(destination)] ?? `in ${String(destination)}`
  switch (type) {
    case 'add_rules':
      return oneLine(`${String(behavior)} ${list(rules)} ${where}`)
    case 'remove_rules':
      return oneLine(`no longer ${String(behavior)} ${list(rules)} ${where}`)
    case 'replace_rules':
      return oneLine(`${String(behavior)} ${list(rules)} instead, ${where}`)
    case 'set_mode':
      return oneLine(`switch to the mode ${String(mode)} ${where}`)
    case 'add_directories':
      return oneLine(`also work in ${list(directories)} ${where}`)
    case 'remove_directories':
      return oneLine(`no longer work in ${list(directories)} ${where}`)
    default:
      // A custom decider may suggest updates of an unknown type.
      return printableJson(update)
  }
}
