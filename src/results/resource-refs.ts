import type { ContentBlock } from '../catalog/tool-output.js'
import { withoutUndefined } from '../platform/json/without-undefined.js'

type Ref = Record<string, unknown>

/**
 * The resources that a result links to or embeds, each once, in the order of its content; then those that the tool
 * named. A member that the tool gave for a resource is not changed.
 */
export function resourceRefsOf(
  content: readonly ContentBlock[],
  named: readonly Ref[] | undefined,
): Ref[] | undefined {
  const refs = new Map<unknown, Ref>()
  for (const block of content) {
    const ref = refOf(block)
    if (ref && !refs.has(ref['uri'])) refs.set(ref['uri'], ref)
  }
  for (const ref of named ?? []) {
    const { uri } = ref
    const key = uri ?? ref
    refs.set(key, { ...refs.get(key), ...ref })
  }
  return refs.size > 0 || named ? [...refs.values()] : undefined
}

function refOf(block: ContentBlock): Ref | undefined {
  switch (block.type) {
    case 'resource_link': {
      const { uri, name, title, media_type, size_bytes, digest } = block
      if (uri === undefined) return undefined
      const known = { name, title, media_type, size_bytes, digest }
      return refTo(uri, { ...known, access: 'native_protocol', relation: 'linked' })
    }
    case 'embedded_resource': {
      const { uri, mimeType } = (block.resource ?? {}) as Ref
      if (typeof uri !== 'string') return undefined
      const media_type = typeof mimeType === 'string' ? mimeType : undefined
      return refTo(uri, { media_type, access: 'inline', relation: 'embedded' })
    }
    default:
      return undefined
  }
}

/** The id of the ref is the resource's address. */
function refTo(uri: string, known: Ref): Ref {
  return withoutUndefined({ ref_id: uri, uri, ...known })
}
