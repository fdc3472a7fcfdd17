import { isObject } from '../../platform/json/is-object.js'
import type { JsonObject } from './protocol/json-rpc.js'
import { cleanLine } from '../../platform/text/clean-text.js'
import { runScheme, safeIcons } from '../../platform/text/web-link.js'

/** Replaces the address of an embedded resource: the protocol requires one. */
const LEFT_OUT = 'toolcrib:left-out'

/**
 * A content block without links that a client might execute when they are followed; the same object where it has none.
 * Servers have schemes of their own, so only schemes that are known to be executed are removed.
 */
export function withSafeLinks(block: unknown): unknown {
  if (!isObject(block)) return block
  const scheme = runScheme(block['uri'])
  if (scheme !== undefined) return leftOut(block, scheme)
  const { icons, resource, annotations } = block
  const safe = {
    icons: Array.isArray(icons) ? safeIcons(icons) : icons,
    resource: isObject(resource) ? withSafeAddress(resource) : resource,
    annotations: isObject(annotations) ? withoutRunLinks(annotations) : annotations,
  }
  if (safe.icons === icons && safe.resource === resource && safe.annotations === annotations) return block
  const kept = Object.entries({ ...block, ...safe }).filter(([name]) => name in block)
  return Object.fromEntries(kept)
}

/** The same for a prompt's or sampling request's message, which has one block or several. */
export function withSafeContent(message: unknown): unknown {
  if (!isObject(message)) return message
  const { content } = message
  const safe = Array.isArray(content) ? content.map(withSafeLinks) : withSafeLinks(content)
  return safe === content ? message : { ...message, content: safe }
}

/** The same for a listed or read resource: its content stays. */
export function withSafeAddress(resource: JsonObject): JsonObject {
  return runScheme(resource['uri']) === undefined ? resource : { ...resource, uri: LEFT_OUT }
}

function leftOut({ name, title, uri }: JsonObject, scheme: string): JsonObject {
  const named = [name, title].find((each) => typeof each === 'string' && each !== '') ?? uri
  const shown = cleanLine(String(named), 100)
  return {
    type: 'text',
    text: `[A link was left out: "${shown}" leads to an address with "${scheme}:", which a client may run.]`,
  }
}

function withoutRunLinks(annotations: JsonObject): JsonObject {
  const kept = Object.entries(annotations).filter(([, value]) => runScheme(value) === undefined)
  return kept.length === Object.keys(annotations).length ? annotations : Object.fromEntries(kept)
}
