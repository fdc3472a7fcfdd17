import { toolIdOf } from '../catalog-tool.js'
import { classifierFields } from '../classifier-fields.js'
import type { ToolDraft } from '../tool-draft.js'
import type { LintFinding } from './finding.js'
import { nativeName } from './tool-texts.js'
import { writeOut } from './write-out.js'

/** A tool that can do harm and shows a safety classifier nothing of its calls: none of them could be told from another. */
export function unshownIn(draft: ToolDraft): LintFinding[] {
  // Of a provider's tools nobody here can change that: they are told of together.
  if (draft.provider || isShown(draft)) return []
  const why = whyRelevant(draft)
  if (why === undefined) return []
  const message = `It ${why}, and classifiers are shown nothing of its calls; give it a "classifierInput".`
  return [{ toolId: toolIdOf(draft), rule: 'no_classifier_input', severity: 'note', message, place: 'input' }]
}

/** The same of servers: one note for each, whatever the number of its tools. */
export function unshownOfServers(drafts: readonly ToolDraft[]): LintFinding[] {
  const ofServers = new Map<string, ToolDraft[]>()
  for (const draft of drafts) {
    if (draft.kind !== 'mcp_tool') continue
    ofServers.set(draft.namespace, [...(ofServers.get(draft.namespace) ?? []), draft])
  }
  return [...ofServers].flatMap(([namespace, all]): LintFinding[] => {
    const found = all.filter((draft) => mayDoHarm(draft) && !isShown(draft))
    if (found.length === 0) return []
    const message = serverSentence(found.map(nativeName).toSorted(), all.length)
    return [{ toolId: namespace, rule: 'no_classifier_input', severity: 'note', message, place: 'input' }]
  })
}

/** By the word of the server: what it says is enough to leave a tool out of a note, and lets nothing run. */
function mayDoHarm({ annotations }: ToolDraft): boolean {
  return annotations?.['readOnlyHint'] !== true || annotations['openWorldHint'] === true
}

const MAX_NAMES = 20

function serverSentence(names: readonly string[], all: number): string {
  const shown = names.slice(0, MAX_NAMES).map(writeOut).join(', ')
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : ''
  const [those, them] = names.length === 1 ? ['that tool', 'it'] : ['those tools', 'them']
  const can =
    'may change something or reach beyond the server, with arguments that name no command, path or URL'
  return `${names.length} of its ${all} tools ${can}: ${shown}${more}. A classifier approves no call of ${those}; what may run of ${them} is for rules to say.`
}

function isShown(draft: ToolDraft): boolean {
  return draft.classifierInput !== undefined || !takesArguments(draft) || classifierFields(draft).length > 0
}

function takesArguments({ input }: ToolDraft): boolean {
  const { properties, additionalProperties } = input.modelSchema
  const hasSome = typeof properties === 'object' && properties !== null && Object.keys(properties).length > 0
  return hasSome || (properties === undefined && additionalProperties !== false)
}

const KINDS: Partial<Record<ToolDraft['kind'], string>> = {
  shell_command: 'runs commands',
  code_execution: 'runs code',
  file_operation: 'works on files',
  browser_action: 'acts in a browser',
}

/** What makes a tool relevant to security, as it says itself. */
function whyRelevant({ kind, permission, facts }: ToolDraft): string | undefined {
  const {
    risk_level: risk,
    approval_required: approval,
    access_kinds: access,
    write_effects: effects,
  } = permission
  if (KINDS[kind] !== undefined) return KINDS[kind]
  if (risk === 'high' || risk === 'critical') return `declares the risk ${risk}`
  if (approval === true) return 'requires approval'
  if (facts.is_destructive !== undefined && facts.is_destructive !== false) return 'may destroy something'
  const touched = [...(access ?? []), ...(effects ?? [])].find((each) => each !== 'none')
  return touched === undefined ? undefined : `declares ${touched.replaceAll('_', ' ')}`
}
