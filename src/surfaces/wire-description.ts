import type { ToolDraft } from '../catalog/tool-draft.js'

/** The description for a model. Providers have no field for deprecation, so it is part of the text. */
export function wireDescription({ description, lifecycle }: ToolDraft): string {
  return lifecycle === 'deprecated' ? `${DEPRECATED} ${description}` : description
}

const DEPRECATED = 'Deprecated: kept for those who use it already, choose another tool.'
