import type { ToolcribApproval } from '../../../contract/objects/toolcrib-approval.js'
import type { JsonObject } from '../../../sources/mcp/protocol/json-rpc.js'
import { OWN_META_KEY } from '../../../sources/mcp/protocol/meta-keys.js'
import type { Era } from '../../../sources/mcp/protocol/revisions.js'
import { oneLine } from '../../../platform/text/printable.js'
import { cutText } from '../cut-text.js'
import { complete } from '../in-era.js'

const MAX_TITLE_CHARS = 200
const MAX_WORDS_CHARS = 500

/** In one line, the id first: what a tool calls itself cannot pass for words of ours. */
export function waitingLine({ tool_id: toolId, title, message }: ToolcribApproval): string {
  const shown = cutText(oneLine(title), MAX_TITLE_CHARS)
  // The title of a tool stands behind its name, which need not be said twice.
  const called = title.startsWith(toolId) ? shown : `${oneLine(toolId)} ("${shown}")`
  return `${called} waits for approval. ${cutText(oneLine(message), MAX_WORDS_CHARS)}`
}

/** What a client is told of a call that waits for somebody who is not behind it. */
export function describeWaiting(approval: ToolcribApproval, era: Era, command: string): JsonObject {
  const { approval_id: id, invocation_id: invocationId, expires_at: until } = approval
  const text = [
    `Not done yet: ${waitingLine(approval)}`,
    `A person can answer with "${command}" (${id}) until ${until}.`,
    `To go on afterwards, make the same call again with the same arguments, or name it in _meta: {"${OWN_META_KEY}": {"invocationId": "${invocationId}"}}.`,
  ].join('\n')
  const facts = { invocationId, status: 'awaiting_approval', approvalId: id, expiresAt: until }
  // An error, so that no model takes it for the result.
  const result = { content: [{ type: 'text', text }], isError: true, _meta: { [OWN_META_KEY]: facts } }
  return complete(result, era)
}
