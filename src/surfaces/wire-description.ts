import type { ToolDraft } from '../catalog/tool-draft.js'

/** What a model is told of a tool. Providers have no field for it: that a tool is on its way out is said in words. */
export function wireDescription({ description, lifecycle }: ToolDraft): string {
  return lifecycle === 'deprecated' ? `${DEPRECATED} ${description}` : description
}

const DEPRECATED = 'Deprecated: kept for those who use it already, choose another tool.'
