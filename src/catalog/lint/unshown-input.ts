import { toolIdOf } from '../catalog-tool.js'
import { classifierFields } from '../classifier-fields.js'
import type { ToolDraft } from '../tool-draft.js'
import type { LintFinding } from './finding.js'
import { nativeName } from './tool-texts.js'
import { writeOut } from './write-out.js'

/**
 * Reports a tool that may do harm and shows a safety classifier nothing of its calls: the classifier could not tell
 * them apart.
 */
export function unshownIn(draft: ToolDraft): LintFinding[] {
  // A provider's tools cannot be changed here: they are reported together.
  if (draft.provider || isShown(draft)) return []
  const why = whyRelevant(draft)
  if (why === undefined) return []
  const message = `It ${why}, and classifiers are shown nothing of its calls; give it a "classifierInput".`
  return [{ toolId: toolIdOf(draft), rule: 'no_classifier_input', severity: 'note', message, place: 'input' }]
}

/** The same for servers and other sources: one note for each source, not for each tool. */
export function unshownOfSources(drafts: readonly ToolDraft[]): LintFinding[] {
  const ofSources = new Map<string, ToolDraft[]>()
  for (const draft of drafts) {
    if (!draft.provider) continue
    ofSources.set(draft.namespace, [...(ofSources.get(draft.namespace) ?? []), draft])
  }
  return [...ofSources].flatMap(([namespace, all]): LintFinding[] => {
    const found = all.filter((draft) => mayDoHarm(draft) && !isShown(draft))
    if (found.length === 0) return []
    const message = sourceSentence(found.map(nativeName).toSorted(), all.length)
    return [{ toolId: namespace, rule: 'no_classifier_input', severity: 'note', message, place: 'input' }]
  })
}

/** Uses the hints of a server, or the facts of another source: they may only exclude a tool from a note, and allow nothing. */
function mayDoHarm({ kind, annotations, facts }: ToolDraft): boolean {
  if (kind !== 'mcp_tool') return facts.is_read_only !== true
  return annotations?.['readOnlyHint'] !== true || annotations['openWorldHint'] === true
}

const MAX_NAMES = 20

function sourceSentence(names: readonly string[], all: number): string {
  const shown = names.slice(0, MAX_NAMES).map(writeOut).join(', ')
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : ''
  const [those, them] = names.length === 1 ? ['that tool', 'it'] : ['those tools', 'them']
  const can =
    'may change something or reach beyond their source, with arguments that name no command, path or URL'
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

/** Why a tool is relevant to security, by its own declaration. */
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
