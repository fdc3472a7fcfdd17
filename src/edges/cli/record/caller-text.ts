import { programText, type ClientProgram } from '../../../catalog/client-link.js'
import type { ToolInvocation } from '../../../contract/objects/tool-invocation.js'

/** Who called, and through which program: "root via cursor 1.2". */
export function callerText(actor: string, client: unknown): string {
  const program = readProgram(client)
  if (!program) return actor
  return actor === '' ? programText(program) : `${actor} via ${programText(program)}`
}

/** The program that made a call; undefined if it gave no name. */
export function clientOf({ toolcrib }: ToolInvocation): string | undefined {
  const program = readProgram(toolcrib?.['client'])
  return program && programText(program)
}

/** Whether the program made the call: compares its name, with or without its version. */
export function isOfClient({ toolcrib }: ToolInvocation, asked: string): boolean {
  const program = readProgram(toolcrib?.['client'])
  if (!program) return false
  const wanted = asked.trim().toLowerCase()
  return [program.name, programText(program)].some((name) => name.toLowerCase() === wanted)
}

function readProgram(client: unknown): ClientProgram | undefined {
  if (typeof client !== 'object' || client === null) return undefined
  const { name, version } = client as Record<string, unknown>
  if (typeof name !== 'string') return undefined
  return typeof version === 'string' ? { name, version } : { name }
}
