import { toolIdOf } from '../catalog-tool.js'
import { classifierFields } from '../classifier-fields.js'
import type { ToolDraft } from '../tool-draft.js'
import type { LintFinding } from './finding.js'

/** A tool that can do harm and shows a safety classifier nothing of its calls: none of them could be told from another. */
export function unshownIn(draft: ToolDraft): LintFinding[] {
  // Of a provider's tool nobody here could change that; what has no text for a classifier is asked about.
  if (draft.provider) return []
  if (draft.classifierInput || !takesArguments(draft) || classifierFields(draft).length > 0) return []
  const why = whyRelevant(draft)
  if (why === undefined) return []
  const message = `It ${why}, and classifiers are shown nothing of its calls; give it a "classifierInput".`
  return [{ toolId: toolIdOf(draft), rule: 'no_classifier_input', severity: 'note', message, place: 'input' }]
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
