import type { AgentRef, CompiledAgent, FileProblem } from '../compiled.js'
import { decode, type ReadFile } from '../read/decode.js'
import { replace } from '../read/edits.js'
import type { FileNode } from '../read/file-node.js'
import { parseFrontMatter } from '../read/parse-front-matter.js'
import type { Yaml } from '../../../platform/config/yaml-error-start.js'
import type { Location } from '../read/source-text.js'
import { compileId, compileSpecVersion } from './compile-tool.js'
import {
  choiceField,
  given,
  integerField,
  objectField,
  reportEmpty,
  reportUnknown,
  textField,
  type Fields,
} from './fields.js'

export const toolChoices = ['none', 'auto', 'required'] as const

/** What one agent file compiles to. Plain JSON. */
export interface AgentResult {
  readonly file: string
  readonly agentId?: string | undefined
  readonly idAt?: Location | undefined
  /** Also of a file with problems, as far as they can be read. */
  readonly refs: readonly LocatedRef[]
  /** Absent where there are errors. */
  readonly agent?: CompiledAgent | undefined
  readonly problems: readonly FileProblem[]
}

export interface LocatedRef {
  readonly ref: string
  readonly at: Location
}

/** Compiles one agent file. Its other members, such as instructions, are not of tools. */
export function compileAgent(read: ReadFile, yaml: Yaml): AgentResult {
  const report = decode(read)
  const matter = parseFrontMatter(report, yaml)
  if (!matter) return { file: read.file, refs: [], problems: report.problems }
  const root: Fields = { node: matter.root, at: matter.opening, path: '', report }
  reportEmpty(root, ['spec_version', 'agent_id', 'tools'])
  compileSpecVersion(root)
  const id = compileId(root, { name: 'agent_id', wrong: 'aml/invalid-agent-id', ending: '.agent.md' })
  const tools = objectField(root, 'tools')
  const located: LocatedRef[] = []
  const refs = tools ? compileRefs(tools, located) : []
  const choice = tools && compileChoice(tools)
  const isEmpty = tools ? countRefs(tools) === 0 : !root.node.members?.has('tools')
  if (isEmpty && choice !== 'required')
    report.add(
      'aml/agent-without-tools',
      tools?.at ?? matter.opening,
      'List the tools of the agent under "tools.refs".',
    )
  const known = {
    file: read.file,
    ...(id && { agentId: id.value, idAt: report.source.locate(id.node) }),
    refs: located,
    problems: report.problems,
  }
  if (report.hasErrors() || !id) return known
  const agent: CompiledAgent = {
    file: read.file,
    agentId: id.value,
    refs,
    ...(choice && { toolChoice: choice }),
  }
  return { ...known, agent }
}

function compileChoice(tools: Fields): CompiledAgent['toolChoice'] {
  const choice = choiceField(tools, 'tool_choice', { of: toolChoices, wrong: 'aml/invalid-tool-choice' })
  if (choice?.value === 'required' && countRefs(tools) === 0)
    tools.report.add(
      'aml/required-without-tools',
      choice.node,
      'An agent without tools cannot have tool_choice: required; add refs.',
    )
  return choice?.value
}

/** How many refs are listed; 1 where they are no list. */
function countRefs(tools: Fields): number {
  const refs = tools.node.members?.get('refs')
  return refs ? (refs.node.items?.length ?? 1) : 0
}

function compileRefs(tools: Fields, located: LocatedRef[]): AgentRef[] {
  reportUnknown(tools, ['refs', 'tool_choice'])
  const refs = given(tools, 'refs')
  if (!refs) return []
  if (!refs.node.items) {
    tools.report.add('aml/wrong-type', refs.key, '"tools.refs" must be a list of objects with ref.')
    return []
  }
  const seen = new Set<string>()
  return refs.node.items.flatMap((item, index) => {
    const ref = compileRef(tools, item, index)
    if (!ref) return []
    const node = item.members!.get('ref')!.node
    if (seen.has(ref.ref))
      tools.report.add(
        'aml/duplicate-ref',
        node,
        `The tool ${ref.ref} is referred to twice; remove one of the refs.`,
      )
    seen.add(ref.ref)
    located.push({ ref: ref.ref, at: tools.report.source.locate(node) })
    return [ref]
  })
}

function compileRef(tools: Fields, item: FileNode, index: number): AgentRef | undefined {
  const { report } = tools
  const path = `tools.refs[${index}]`
  if (!item.members) {
    const isId = typeof item.value === 'string' && item.style !== 'block'
    const written = report.source.text.slice(item.start, item.end)
    const text = item.style === 'flow' ? `{ ref: ${written} }` : `ref: ${written}`
    report.add(
      'aml/wrong-type',
      item,
      `"${path}" must be an object with ref, such as "- ref: search-kb".`,
      isId ? replace(item, text, `Change it to ${text}`) : undefined,
    )
    return undefined
  }
  const first = [...item.members.values()][0]
  const fields: Fields = { node: item, at: first?.key ?? item, path, report }
  reportUnknown(fields, ['ref', 'approval_required', 'max_calls_per_run'])
  const ref = textField(fields, 'ref', { missing: 'aml/missing-field' })
  const approval = compileApproval(fields)
  const limit = integerField(fields, 'max_calls_per_run', { min: 1, wrong: 'aml/invalid-call-limit' })
  return (
    ref && {
      ref: ref.value,
      ...(approval && { approval_required: approval }),
      ...(limit && { max_calls_per_run: limit.value }),
    }
  )
}

function compileApproval(fields: Fields): true | undefined {
  const member = given(fields, 'approval_required')
  if (!member) return undefined
  const { value } = member.node
  if (value === true) return true
  if (value === false)
    fields.report.add(
      'aml/loosening-override',
      member.node,
      `Remove "${fields.path}.approval_required"; an agent may only tighten what a tool says.`,
    )
  else fields.report.add('aml/wrong-type', member.node, `"${fields.path}.approval_required" must be true.`)
  return undefined
}
