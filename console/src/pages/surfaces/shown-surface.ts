import type { SurfaceItem, SurfacePreview, Visibility } from '../../api/policy.js'
import type { ToolSurface } from '../../api/types.js'
import type { Tone } from '../../ui/badge.js'

/** A surface as the page shows it: a preview, or the record of one that is open. */
export interface ShownSurface {
  readonly budget_tokens?: number
  readonly total_tokens: number
  readonly loaded_tokens: number
  readonly saved_tokens: number
  readonly items: readonly SurfaceItem[]
  readonly note?: string
}

interface VisibilityWords {
  readonly words: string
  readonly tone: Tone
  readonly meaning: string
}

export const VISIBILITIES: Readonly<Record<Visibility, VisibilityWords>> = {
  loaded: { words: 'loaded', tone: 'good', meaning: 'The caller sees its schema.' },
  deferred: {
    words: 'deferred',
    tone: 'info',
    meaning: 'The caller finds it by a search, and then sees its schema.',
  },
  unlisted: {
    words: 'unlisted',
    tone: 'neutral',
    meaning: 'It is not listed; a caller that knows it can call it.',
  },
  hidden: { words: 'hidden', tone: 'neutral', meaning: 'The caller cannot see or call it.' },
  denied: {
    words: 'denied',
    tone: 'bad',
    meaning: 'A rule denies every call of it, so that the caller does not see it.',
  },
}

/**
 * An open surface: what is loaded and deferred stands in its record. Its record has only counts of the many others, so that
 * their reasons are those of a preview for the same caller now.
 */
export function fromRecord(record: ToolSurface, preview: SurfacePreview): ShownSurface {
  const loaded = new Set(record.loaded_tools)
  const deferred = new Set(record.deferred_tools?.map(({ tool_id }) => tool_id))
  const items = preview.items.map((item): SurfaceItem => {
    if (loaded.has(item.tool_id))
      return { ...item, visibility: 'loaded', reason_message: 'It is loaded in this session.' }
    if (deferred.has(item.tool_id) && item.visibility !== 'deferred')
      return { ...item, visibility: 'deferred', reason_message: 'The model finds it by a search.' }
    return item
  })
  const loadedTokens = tokensOf(items.filter(({ visibility }) => visibility === 'loaded'))
  return {
    ...preview,
    loaded_tokens: loadedTokens,
    saved_tokens: Math.max(0, preview.total_tokens - loadedTokens),
    items,
    note: noteOf(record),
  }
}

/** The caller of an open surface, as a preview takes it. */
export function callerOf({ toolcrib }: ToolSurface): {
  readonly surface?: string
  readonly actor?: string
  readonly session?: string
} {
  const { actor, session, filters } = toolcrib ?? {}
  const name = typeof filters === 'object' && filters !== null && 'name' in filters ? filters.name : undefined
  return {
    ...(typeof name === 'string' && { surface: name }),
    ...(typeof actor === 'string' && { actor }),
    ...(typeof session === 'string' && { session }),
  }
}

function tokensOf(items: readonly SurfaceItem[]): number {
  return items.reduce((sum, { tokens = 0 }) => sum + tokens, 0)
}

/** Who has it. */
export function noteOf(record: ToolSurface): string {
  const { surface, actor, session } = callerOf(record)
  const { created_at: at } = record
  const parts = [
    actor,
    surface && `surface ${surface}`,
    session && `session ${session}`,
    at && `opened ${new Date(at).toLocaleString()}`,
  ]
  return parts.filter(Boolean).join(' · ') || record.surface_id
}
