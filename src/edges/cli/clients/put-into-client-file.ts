import { hasComments, parseJsonWithComments } from '../../../foundation/json/parse-json-with-comments.js'
import type { Client } from './client.js'
import { clientSnippet, ENTRY } from './client-snippet.js'

export type PutText = { ok: true; text: string } | { ok: false; why: string }

/** The text of a client's file with our entry in it; everything else stays as it was. */
export function putIntoClientFile(
  before: string,
  { client, entry }: { client: Pick<Client, 'format' | 'key'>; entry: Record<string, unknown> },
): PutText {
  return client.format === 'toml'
    ? { ok: true, text: putIntoToml(before, clientSnippet(client, entry), client.key) }
    : putIntoJson(before, entry, client.key)
}

function putIntoJson(before: string, entry: Record<string, unknown>, key: string): PutText {
  const value = before.trim() === '' ? {} : parseJsonWithComments(before)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { ok: false, why: 'is not readable as JSON' }
  if (hasComments(before)) return { ok: false, why: 'has comments, which would be lost' }
  const servers: unknown = Reflect.get(value, key) ?? {}
  if (typeof servers !== 'object' || servers === null || Array.isArray(servers))
    return { ok: false, why: `has something else than an object under "${key}"` }
  const after = { ...value, [key]: { ...servers, [ENTRY]: entry } }
  return { ok: true, text: `${JSON.stringify(after, null, indentOf(before))}\n` }
}

function indentOf(text: string): string {
  return /\n([ \t]+)"/.exec(text)?.[1] ?? '  '
}

/** Our table in the place of the one that is there, or at the end. Tables below ours are ours too. */
function putIntoToml(before: string, snippet: string, key: string): string {
  const isOurs = (line: string): boolean =>
    line.startsWith(`[${key}.${ENTRY}]`) || line.startsWith(`[${key}.${ENTRY}.`)
  const kept: string[] = []
  let at: number | undefined
  let isInOurs = false
  for (const line of before.split('\n')) {
    const trimmed = line.trim()
    if (trimmed.startsWith('[')) isInOurs = isOurs(trimmed)
    if (isInOurs) at ??= kept.length
    else kept.push(line)
  }
  if (at !== undefined) return tidy([...kept.slice(0, at), snippet, '', ...kept.slice(at)])
  return tidy([...kept, '', snippet])
}

const tidy = (lines: readonly string[]): string => `${lines.join('\n').trim()}\n`
