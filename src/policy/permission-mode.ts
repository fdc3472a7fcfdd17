export const permissionModes = ['default', 'acceptEdits', 'plan', 'dontAsk', 'auto', 'bypass'] as const
export type PermissionMode = (typeof permissionModes)[number]

/** Names that other agents' settings use for the same modes. */
const aliases: Readonly<Record<string, PermissionMode>> = { bypassPermissions: 'bypass', manual: 'default' }

export function parseMode(name: string): PermissionMode | undefined {
  if (Object.hasOwn(aliases, name)) return aliases[name]
  return permissionModes.find((mode) => mode === name)
}

/** Whether a change from one mode to another allows more without approval. */
export function isLooser(mode: PermissionMode, than: PermissionMode): boolean {
  return LOOSENESS[mode] > LOOSENESS[than]
}

export function stricterMode(a: PermissionMode, b: PermissionMode | undefined): PermissionMode {
  return b !== undefined && isLooser(a, b) ? b : a
}

const LOOSENESS: Readonly<Record<PermissionMode, number>> = {
  plan: 0,
  dontAsk: 1,
  default: 2,
  acceptEdits: 3,
  auto: 4,
  bypass: 5,
}
