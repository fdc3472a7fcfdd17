import { ownCommand, shellWord } from '../../../platform/text/own-command.js'
import type { OpenapiPreview, PreviewedOperation } from '../../../sources/openapi/preview.js'
import { credentialRemedy } from './credential-remedy.js'

/** The commands that lead from a new entry to a first call, in their order. */
export function firstCall(
  { credentials }: OpenapiPreview,
  chosen: readonly PreviewedOperation[],
): readonly string[] {
  const missing = new Map(credentials.flatMap((each) => (each.missing ? [[each.name, each.missing]] : [])))
  const isReady = (operation: PreviewedOperation): boolean =>
    operation.credentials.every((name) => !missing.has(name))
  const reads = chosen.filter(({ risk }) => risk === 'reads').toSorted(byInput)
  const operation = reads.find(isReady) ?? reads[0] ?? chosen[0]!
  const remedies = operation.credentials.flatMap((name) => {
    const sentence = missing.get(name)
    const command = sentence === undefined ? undefined : credentialRemedy(sentence).command
    return command === undefined ? [] : [command]
  })
  return [...remedies, ownCommand(operation.risk === 'reads' ? callOf(operation) : showOf(operation))]
}

/** What needs the fewest arguments is tried most easily. */
const byInput = (a: PreviewedOperation, b: PreviewedOperation): number =>
  a.required.length - b.required.length

function callOf({ toolId, required }: PreviewedOperation): string {
  return ['call', shellWord(toolId), ...required.map((name) => `${name}=…`)].join(' ')
}

const showOf = ({ toolId }: PreviewedOperation): string => `tools show ${shellWord(toolId)}`
