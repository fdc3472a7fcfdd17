import { isJsonObject, type JsonObject, type JsonRpcId } from '../protocol/json-rpc.js'
import { MCP } from '../protocol/native.js'
import { countHidden } from '../../../platform/text/clean-text.js'
import { toolOutput, type ContentBlock, type ToolOutput } from '../../../catalog/tool-output.js'
import type { ServerFacts } from '../connection/connection.js'
import { fromMcpBlock } from '../content-blocks.js'
import { withSafeLinks } from '../safe-links.js'
import { measure } from '../tools/measure.js'
import { nativeIds } from './native-ids.js'

const NAMED = new Set(['content', 'structuredContent', 'isError', '_meta', 'resultType'])
const NO_WORDS = 'The server says that the call failed.'
/** What stands beside a result is said about it; it is no place for another one. */
const MAX_META = { maxDepth: 200, maxBytes: 1024 * 1024 }
const MAX_BLOCKS = 100
const NO_LIST = 'The server answered with a "content" that is no list, which says nothing of what it did.'

export interface Answer {
  readonly result: JsonObject
  readonly requestId: JsonRpcId
  readonly facts: ServerFacts
}

/** The answer of a server as an output; what has no place in one stands in its `native`. */
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

/** The resources that an answer links to or holds are the server's, to be read from it. */
function ownResources(blocks: readonly ContentBlock[], server: string): JsonObject[] {
  return blocks.flatMap((block) => {
    const uri = block.type === 'resource_link' ? block.uri : embeddedUri(block)
    if (typeof uri !== 'string') return []
    return [{ uri, native_ref: { source: MCP, server_id: server, method: 'resources/read', uri } }]
  })
}

function embeddedUri({ type, resource }: ContentBlock): unknown {
  return type === 'embedded_resource' && isJsonObject(resource) ? resource['uri'] : undefined
}

/** Also data that is a bare text or nothing: an output has no place for these. */
function moreOf(result: JsonObject): JsonObject | undefined {
  const { structuredContent } = result
  const isBare = structuredContent === null || typeof structuredContent === 'string'
  // That it says so of a success is a word of its own, too.
  const saysSuccess = result['isError'] === false
  const names = Object.keys(result).filter((name) => !NAMED.has(name) || (name === 'isError' && saysSuccess))
  if (names.length === 0 && !isBare) return undefined
  return {
    ...Object.fromEntries(names.map((name) => [name, result[name]])),
    ...(isBare && { structuredContent }),
  }
}

/** What a model reads and a person cannot see. It is left alone: only whoever reads can tell what it is for. */
function hiddenIn(blocks: readonly unknown[]): number {
  let count = 0
  for (const block of blocks.slice(0, MAX_BLOCKS)) {
    const text = isJsonObject(block) && block['type'] === 'text' ? block['text'] : undefined
    if (typeof text === 'string') count += countHidden(text)
  }
  return count
}

function firstText(blocks: readonly unknown[]): string | undefined {
  for (const block of blocks) {
    if (!isJsonObject(block) || block['type'] !== 'text') continue
    const { text } = block
    if (typeof text === 'string' && text.trim() !== '') return text
  }
  return undefined
}
