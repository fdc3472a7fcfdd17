import { amlTransports } from '../../../credentials/scheme-of-transport.js'
import type { FileMember, FileNode } from '../read/file-node.js'
import type { Fields } from './fields.js'
import { transportFields } from './transport/compile-transport.js'
import { SHARED_FIELDS } from './transport/transport-parts.js'

export const metaFields = ['name', 'description', 'owner', 'tags', 'last_updated'] as const

interface OwnerFields {
  readonly all: readonly string[]
  /** Without these the object has an error. */
  readonly needed: readonly string[]
}

/**
 * Reports fields that are indented too little: they are behind the object that needs them, and not in it. Each of them would be
 * a missing field and an unknown field. True where there are some.
 */
export function reportMisplaced(root: Fields, known: readonly string[]): boolean {
  const runs = new Map<string, [name: string, member: FileMember][]>()
  let owner: [name: string, node: FileNode] | undefined
  for (const [name, member] of root.node.members ?? []) {
    if (known.includes(name)) owner = [name, member.node]
    else if (!owner || !isLacking(owner, name)) owner = undefined
    else runs.set(owner[0], [...(runs.get(owner[0]) ?? []), [name, member]])
  }
  let isFound = false
  for (const [of, fields] of runs) {
    const { needed } = fieldsOf(of, root.node.members!.get(of)!.node)!
    if (!fields.some(([name]) => needed.includes(name))) continue
    isFound = true
    const names = fields.map(([name]) => `"${name}"`).join(', ')
    const words = fields.length === 1 ? 'it is a field' : 'they are fields'
    root.report.add('aml/misplaced-field', fields[0]![1].key, `Indent ${names} further: ${words} of "${of}".`)
  }
  return isFound
}

function isLacking([of, node]: [string, FileNode], name: string): boolean {
  const isObject = node.value === null || (node.members !== undefined && node.style === 'block')
  return isObject && !node.members?.has(name) && fieldsOf(of, node)?.all.includes(name) === true
}

function fieldsOf(of: string, node: FileNode): OwnerFields | undefined {
  switch (of) {
    case 'meta':
      return { all: metaFields, needed: ['name', 'description', 'owner'] }
    case 'interface':
      return { all: ['input', 'output'], needed: ['input', 'output'] }
    case 'transport': {
      const type = amlTransports.find((each) => each === node.members?.get('type')?.node.value)
      return type && { all: [...SHARED_FIELDS, ...transportFields[type]], needed: ['credentials'] }
    }
    default:
      return undefined
  }
}
