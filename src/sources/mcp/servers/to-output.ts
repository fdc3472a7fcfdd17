import { isObject } from '../../../platform/json/is-object.js'
import type { JsonObject, JsonRpcId } from '../protocol/json-rpc.js'
import { MCP } from '../protocol/native.js'
import { countHidden } from '../../../platform/text/clean-text.js'
import { toolOutput, type ContentBlock, type ToolOutput } from '../../../catalog/tool-output.js'
import type { ServerFacts } from '../connection/connection.js'
import { fromMcpBlock } from '../content-blocks.js'
import { withSafeLinks } from '../safe-links.js'
import { measure } from '../../changes/measure.js'
import { nativeIds } from './native-ids.js'

const NAMED = new Set(['content', 'structuredContent', 'isError', '_meta', 'resultType'])
const NO_WORDS = 'The server says that the call failed.'
/** `_meta` describes a result and must not carry another one. */
const MAX_META = { maxDepth: 200, maxBytes: 1024 * 1024 }
const MAX_BLOCKS = 100
const NO_LIST = 'The server answered with a "content" that is no list, which says nothing of what it did.'

export interface Answer {
  readonly result: JsonObject
  readonly requestId: JsonRpcId
  readonly facts: ServerFacts
}

/** Converts a server's answer to an output; members that an output cannot hold go to its `native`. */
export function toOutput({ result, requestId, facts }: Answer, server: string): ToolOutput {
  const { content, structuredContent: structured, isError, _meta } = result
  const isMetaRead = typeof measure(_meta, MAX_META) === 'number'
  const meta = isMetaRead ? _meta : undefined
  const isBroken = content !== undefined && !Array.isArray(content)
  const sent: readonly unknown[] = isBroken ? [{ type: 'text', text: NO_LIST }] : (content ?? [])
  const blocks = sent.map(withSafeLinks)
  const linksLeftOut = blocks.filter((block, at) => block !== sent[at]).length
  const more = moreOf(result)
  const isMoreRead = typeof measure(more, MAX_META) === 'number'
  const hidden = hiddenIn(blocks)
  const read = blocks.map(fromMcpBlock)
  const resourceRefs = ownResources(read, server)
  return toolOutput({
    content: read,
    ...(resourceRefs.length > 0 && { resourceRefs }),
    ...(structured !== undefined && { structured }),
    ...((isBroken || isError === true) && { failure: firstText(blocks) ?? NO_WORDS }),
    native: {
      ...nativeIds(server, { facts, requestId }),
      ...(meta !== undefined && { _meta: meta }),
      ...(!isMetaRead && { meta_left_out: true }),
      ...(more && isMoreRead && { more }),
      ...(!isMoreRead && { more_left_out: true }),
      ...(hidden > 0 && { hidden_characters: hidden }),
      ...(linksLeftOut > 0 && { links_left_out: linksLeftOut }),
    },
  })
}

/** Resources that an answer links to or embeds belong to the server and are read from it. */
function ownResources(blocks: readonly ContentBlock[], server: string): JsonObject[] {
  return blocks.flatMap((block) => {
    const uri = block.type === 'resource_link' ? block.uri : embeddedUri(block)
    if (typeof uri !== 'string') return []
    return [{ uri, native_ref: { source: MCP, server_id: server, method: 'resources/read', uri } }]
  })
}

function embeddedUri({ type, resource }: ContentBlock): unknown {
  return type === 'embedded_resource' && isObject(resource) ? resource['uri'] : undefined
}

/** Includes data that is a bare text or null, which an output cannot hold. */
function moreOf(result: JsonObject): JsonObject | undefined {
  const { structuredContent } = result
  const isBare = structuredContent === null || typeof structuredContent === 'string'
  // An explicit `isError: false` is kept too.
  const saysSuccess = result['isError'] === false
  const names = Object.keys(result).filter((name) => !NAMED.has(name) || (name === 'isError' && saysSuccess))
  if (names.length === 0 && !isBare) return undefined
  return {
    ...Object.fromEntries(names.map((name) => [name, result[name]])),
    ...(isBare && { structuredContent }),
  }
}

/**
 * Counts characters that a model reads and a person cannot see. The text is not changed: only its reader knows what
 * they are for.
 */
function hiddenIn(blocks: readonly unknown[]): number {
  let count = 0
  for (const block of blocks.slice(0, MAX_BLOCKS)) {
    const text = isObject(block) && block['type'] === 'text' ? block['text'] : undefined
    if (typeof text === 'string') count += countHidden(text)
  }
  return count
}

function firstText(blocks: readonly unknown[]): string | undefined {
  for (const block of blocks) {
    if (!isObject(block) || block['type'] !== 'text') continue
    const { text } = block
    if (typeof text === 'string' && text.trim() !== '') return text
  }
  return undefined
}
