import type { ToolcribApproval } from '../../../contract/objects/toolcrib-approval.js'
import type { JsonObject } from '../../../sources/mcp/protocol/json-rpc.js'
import { OWN_META_KEY } from '../../../sources/mcp/protocol/meta-keys.js'
import type { Era } from '../../../sources/mcp/protocol/revisions.js'
import { oneLine } from '../../../platform/text/printable.js'
import { complete } from '../in-era.js'
import { truncateWithCount } from '../truncate-with-count.js'

const MAX_TITLE_CHARS = 200
const MAX_WORDS_CHARS = 500

/** One line that starts with the id, so that a tool's title cannot imitate the gateway's text. */
export function waitingLine({ tool_id: toolId, title, message, form }: ToolcribApproval): string {
  const shown = truncateWithCount(oneLine(title), MAX_TITLE_CHARS)
  // A title that starts with the tool's id needs no id before it.
  const called = title.startsWith(toolId) ? shown : `${oneLine(toolId)} ("${shown}")`
  const what = form ? 'a person' : 'approval'
  return `${called} waits for ${what}. ${truncateWithCount(oneLine(message), MAX_WORDS_CHARS)}`
}

/** The interim result of a call that waits for a reviewer other than the person who uses the client. */
export function describeWaiting(approval: ToolcribApproval, era: Era, command: string): JsonObject {
  const { approval_id: id, invocation_id: invocationId, expires_at: until } = approval
  const text = [
    `Not done yet: ${waitingLine(approval)}`,
    `A person can answer with "${command}" (${id}) until ${until}.`,
    `To go on afterwards, make the same call again with the same arguments, or name it in _meta: {"${OWN_META_KEY}": {"invocationId": "${invocationId}"}}.`,
  ].join('\n')
  const facts = { invocationId, status: 'awaiting_approval', approvalId: id, expiresAt: until }
  // An error, so that no model mistakes it for the result.
  const result = { content: [{ type: 'text', text }], isError: true, _meta: { [OWN_META_KEY]: facts } }
  return complete(result, era)
}
