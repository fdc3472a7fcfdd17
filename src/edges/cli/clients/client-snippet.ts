import type { Client } from './client.js'

/** The name under which clients know Toolcrib. */
export const ENTRY = 'toolcrib'

/** Toolcrib's entry in the file of the client, ready to be pasted. */
export function clientSnippet(
  { format, key }: Pick<Client, 'format' | 'key'>,
  entry: Record<string, unknown>,
): string {
  if (format === 'json') return JSON.stringify({ [key]: { [ENTRY]: entry } }, null, 2)
  return [
    `[${key}.${ENTRY}]`,
    ...Object.entries(entry).map(([name, value]) => `${name} = ${toToml(value)}`),
  ].join('\n')
}

function toToml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toToml).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)} = ${toToml(member)}`)
  return `{ ${members.join(', ')} }`
}
