import type { FactOrigin } from '../contract/unions.js'
import { fixedJudgement, type Judgement } from './judgement.js'
import type { JudgedFacts } from './decision.js'
import type { JudgedCall } from './judged-call.js'
import { isWithin } from './protected-paths.js'
import type { TouchedPath } from './commands/touched.js'
import type { RuleTool } from './rules/rule-tool.js'

const READS = fixedJudgement('allow', 'default', {
  type: 'safety_check',
  message: 'The tool declares that it only reads and reaches no other system.',
})
const READS_OUT = fixedJudgement('allow', 'default', {
  type: 'safety_check',
  message:
    'The tool declares that it only reads. Here read-only calls run, also where they reach other systems.',
})
const PROVEN = fixedJudgement('allow', 'default', {
  type: 'safety_check',
  message: 'The input is proven to only read.',
})
const APPROVAL = fixedJudgement('ask', 'profile', {
  type: 'safety_check',
  message: 'The tool’s permission profile requires approval, and no rule that names the tool allows it.',
})
const WRITES = byOrigin({
  declared: 'The tool declares that it writes.',
  inferred: 'The tool may write with this input.',
  default: 'The tool may write: no trusted source declares that it only reads.',
})
const OPEN = byOrigin({
  declared: 'The tool declares that it reaches other systems.',
  inferred: 'The tool may reach other systems with this input.',
  default: 'The tool may reach other systems: no trusted source declares otherwise.',
})
const EDITS = fixedJudgement('allow', 'mode', {
  type: 'mode',
  message: 'It only edits files in the working folders, which this mode accepts.',
})
const BYPASS = fixedJudgement('allow', 'mode', {
  type: 'mode',
  message: 'In this mode calls that no rule is about run without approval.',
})
const PASSED = fixedJudgement('passthrough', 'default', {
  type: 'mode',
  message: 'No rule is about the call; a classifier may decide.',
})

/** The judgement of a call that no rule is about. */
export function judgeDefault(
  call: JudgedCall,
  { workingDirectories, openReads }: { workingDirectories: readonly string[]; openReads: boolean },
): Judgement {
  const { tool, facts } = call
  // A default is not a declaration: only declared facts, or facts inferred from the input, count as safe.
  const reads = facts.is_read_only && facts.origins['is_read_only'] !== 'default'
  if (needsApproval(tool, facts)) return APPROVAL
  const outside = findOutside(call, workingDirectories)
  if (outside !== undefined && call.mode !== 'bypass') return outsideOf(outside)
  const staysIn = !facts.is_open_world && facts.origins['is_open_world'] !== 'default'
  if (reads && staysIn) return isProven(tool, facts) ? PROVEN : READS
  if (reads && openReads) return READS_OUT
  const ask = reads
    ? OPEN(facts.origins['is_open_world'])
    : WRITES(facts.is_read_only ? 'default' : facts.origins['is_read_only'])
  return inMode(ask, call, workingDirectories)
}

/** The reason to ask, by where the fact comes from. */
function byOrigin(messages: Readonly<Record<FactOrigin, string>>): (origin: string | undefined) => Judgement {
  const ask = (message: string): Judgement =>
    fixedJudgement('ask', 'default', { type: 'safety_check', message })
  const declared = ask(messages.declared)
  const inferred = ask(messages.inferred)
  const assumed = ask(messages.default)
  return (origin) => (origin === 'declared' ? declared : origin === 'inferred' ? inferred : assumed)
}

/** Whether Toolcrib's own reader of commands has proven that this input only reads. The tool's own claim is no proof. */
function isProven(tool: RuleTool, facts: JudgedFacts): boolean {
  return facts.is_read_only && facts.origins['is_read_only'] === 'inferred' && tool.readsByOwnWord !== true
}

/** Whether a call needs approval, because its tool requires it, unless a rule that names the tool allows it. */
export function needsApproval(tool: RuleTool, facts: JudgedFacts): boolean {
  return tool.profile['approval_required'] === true && !isProven(tool, facts)
}

/** An ask that no rule made, in a mode that fills it. */
function inMode(ask: Judgement, call: JudgedCall, workingDirectories: readonly string[]): Judgement {
  switch (call.mode) {
    case 'acceptEdits':
      return isPlainEdit(call, workingDirectories) ? EDITS : ask
    case 'bypass':
      return BYPASS
    case 'auto':
      return PASSED
    default:
      return ask
  }
}

function findOutside({ touched }: JudgedCall, workingDirectories: readonly string[]): string | undefined {
  if (workingDirectories.length === 0) return undefined
  return touched?.paths.find(
    (each) =>
      isMeant(each) && (!isInside(each.path, workingDirectories) || !isInside(each.real, workingDirectories)),
  )?.path
}

/** Working folders do not restrict a text that only happens to name a path here, or that names one on another machine. */
const isMeant = ({ basis }: TouchedPath): boolean => basis === undefined || basis === 'name'

function outsideOf(path: string): Judgement {
  return {
    behavior: 'ask',
    madeBy: 'working_dir',
    reason: { type: 'working_dir', message: 'The path lies outside the working folders.' },
    rule: undefined,
    path,
    waived: undefined,
  }
}

const isInside = (path: string, folders: readonly string[]): boolean =>
  folders.some((folder) => isWithin(path, folder))

/** Writes files and does nothing else, all inside the working folders. */
function isPlainEdit(
  { touched, facts, tool, workspace }: JudgedCall,
  workingDirectories: readonly string[],
): boolean {
  if (!touched || facts.is_destructive) return false
  const folders = workingDirectories.length > 0 ? workingDirectories : [workspace]
  const { hosts, command } = touched
  const paths = touched.paths.filter(isMeant)
  const isInFolders = paths.every(
    ({ path, real, isGlob }) => !isGlob && isInside(path, folders) && isInside(real, folders),
  )
  // An undeclared argument is not an edit; it only must not lead outside.
  const isEdit = paths.some(({ basis }) => basis === undefined)
  if (!isEdit || !isInFolders || hosts.length > 0) return false
  if (command) return command.isComplete && command.executes.length === 0 && !command.is_open_world
  return tool.kind === 'file_operation' && tool.fields.paths.some(({ access }) => access === 'write')
}
